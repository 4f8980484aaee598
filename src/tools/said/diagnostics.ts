/** What people say for diagnostics from the edge. */
import type { Said } from "../../api/said.js";
import type { diagnostics as service } from "../diagnostics/index.js";

export const diagnostics = {
  service: "diagnose; troubleshoot; debug; test from the edge; what is broken",
  operations: {
    diag_locations_list:
      "from which cities can I run tests; edge locations for diagnostics; list of test locations, places and countries; where digs and traces can start from; vantage points for tests; which countries can we probe from; test servers around the globe; pick a place to test from",
    diag_location_dig_run:
      "dig a hostname from a city; does our name resolve in Japan; DNS lookup from a location, place or country; what does the resolver answer in Frankfurt; lookup out of a city; DNS answer as users in a country get it; is our DNS change visible in Asia; which edge does a region map to; name resolution by continent; nslookup from a city; what users in a country get as DNS answer; see if a DNS change has reached another continent",
    diag_location_mtr_run:
      "traceroute from a city; packet loss or high latency from a region; mtr from a location, place or country to our origin; where does the route get slow; network path from a country to the origin; hops, jitter and loss as seen from a city; is the network bad in a region; ping from far away; find where between a region and our servers the network is slow",
    diag_location_curl_run:
      "fetch a page from a city; does the site load in Germany; curl from a location, place or country; status code and headers as seen from Tokyo; response headers from servers in a city; home page as fetched in another country; is the page reachable for users abroad; what do customers in a country see; page blocked in a region; redirect by country; wget from a city; HTTP response of a remote place; confirm that customers abroad can open the shop; compare what two countries get",
    diag_location_logs_list:
      "edge log lines of a city; grep the raw logs of a location or region; which requests came through the servers in a place; logs over in a city filtered by status; server log lines in a region; raw edge log of a city by status, client or CP code; requests that hit a place",
    diag_ip_location_get:
      "where in the world is this IP address; geolocate or geo lookup of an IP; which country, city and ISP network is the address in; does an attacker's address come from abroad; whose network is this; who owns this IP; where is the visitor sitting; country of an address; whois-like lookup; origin of suspicious traffic; tell where a suspicious login came from",
    diag_ip_dig_run:
      "dig a hostname from a given edge server IP; DNS lookup from an edge address; what does this very edge machine resolve; name resolution on one edge server; what does the edge at this address get for a name; nslookup from an edge IP",
    diag_ip_mtr_run:
      "traceroute from a given edge server IP; mtr from an edge address; packet loss from that one edge machine to the origin; prove that packets are lost between one edge IP and our data center; network path from one edge server; hops and loss from an edge IP to our data center; ping from one machine",
    diag_ip_curl_run:
      "curl a URL from a given edge server IP; fetch the page through this very edge machine; headers from one edge address; response of one edge server; is a single edge node serving stale or broken content; wget through an edge IP; compare one machine; test a fix on a single edge machine",
    diag_ip_logs_list:
      "edge log lines of a given edge server IP; grep logs on that one edge address; what did this machine log for a client; what did one edge server log; log lines of an edge IP by status, client or time; trace a request on one machine",
    diag_user_link_create:
      "make a link to send to a customer who has a problem; get a visitor's IP and browser by a link; diagnostic link for an end user who complains; let a visitor with trouble send us the IP by opening a page; customer cannot reach the site, collect the data; URL to mail to an end user for debugging; find out a user's IP and resolver; support ticket link; understand a problem that only one customer has",
    diag_user_requests_list:
      "who clicked the diagnostic link; submissions of end users; all answers from visitors to our diagnostic links; visitors who opened our links so far; did the customer use the link already; all collected visitor data; responses to support links",
    diag_user_request_get:
      "what IP, resolver and browser did the complaining visitor have; open one end user's submitted diagnostics; details from a customer's link; IPs that came back from one click on a diagnostic link; data that one customer's browser sent; IP address, DNS server and user agent of a complaining user; read one submission",
    diag_gtm_properties_list:
      "which GTM properties do we have; global traffic management properties and domains; list DNS load balancing setups; GTM props to test; GTM domains; names under traffic management; DNS-based load balancing names; which properties can be tested",
    diag_gtm_ips_list:
      "test and target IPs of a GTM property; to which addresses does global traffic management send people; servers behind a GTM domain; target servers of a GTM property; IPs to test against; data center addresses in traffic management",
    diag_url_translation_get:
      "how does the CDN see this URL; which CP code, origin and TTL does a URL have; how long is this page cached; translate a URL to its ARL or cache key; which ARL does a link turn into; cache key and time to live of an address; which origin serves a file; which CP code is a URL billed under; is a file cacheable; how long is it stored on the edge; find out why a file is kept too long or goes to the wrong origin",
    diag_ip_cdn_check:
      "is this IP one of the CDN's; verify an IP belongs to the network and answer now; is that address an edge server or an attacker; CDN IP or not; is the traffic in our firewall from the CDN; verify that a server belongs to the edge network; is this client IP the CDN's, straight away; decide whether an address may be let through our firewall",
    diag_ip_cdn_launch:
      "start a CDN check of an IP in the background; asynchronous verification of an address; queue the check whether the IP is an edge server; job that checks if a box belongs to the CDN; verify an IP as a job; begin an IP ownership check and come back later",
    diag_ip_cdn_status:
      "is the background CDN check of the IP ready; progress of the launched address check; poll the IP verification; is the IP ownership check finished; state of an IP verification job",
    diag_ip_cdn_result:
      "what came out of the background CDN check of the IP; fetch the outcome of the launched address check; answer of the finished membership request; outcome of an IP ownership check; did the job say edge server or not",
    diag_url_statistic_get:
      "why does this URL fail; errors of a URL by status and edge IP right now; is the origin returning 503 for this page; error counts of one page; error codes that edges serve for one page, without a job; are there errors on a page at the moment; failure counts and affected edge servers of an address; which status codes does a URL return",
    diag_url_statistic_launch:
      "start error statistics of a URL in the background; asynchronous error stats for a page; queue the collection of URL errors; count errors of a web address as a job for later; begin error statistics of an address and come back later; error count job for a URL",
    diag_cpcode_statistic_get:
      "errors of a CP code right now; origin errors across a whole CP code by status; is the origin failing for all of the site; 5xx counts by CP code; errors under a CP code directly; how broken is the whole site at the moment; failure counts by status under a CP code; origin or edge to blame for the site's errors",
    diag_cpcode_statistic_launch:
      "start error statistics of a CP code in the background; asynchronous error stats for a CP code; queue the collection of errors; begin error statistics of a CP code and come back later; error count job for a CP code",
    diag_statistic_status:
      "are the background error statistics ready; progress of launched error stats; poll the error statistics; is the error count job finished; state of an error statistics job",
    diag_statistic_result:
      "what came out of the background error statistics; fetch the launched error stats of a URL or CP code; numbers from the error count job; read the finished error statistics",
    diag_error_translation_get:
      "what does Reference #18.abc on the error page mean; decode an error reference number; a visitor sent a screenshot with a reference code; Access Denied reference string, explain now; visitor sees Access Denied with a long reference string; cryptic number on an error page; root cause behind a reference; what happened to this request; explain to a customer why access was denied",
    diag_error_translation_launch:
      "start decoding a reference code in the background; asynchronous translation of an error page's reference; queue the error translation; begin decoding a reference and come back later; decode job for an error string",
    diag_error_translation_status:
      "is the background decoding of the reference code ready; progress of the launched error translation; poll the explanation; is the decode job finished; state of an error decoding job",
    diag_error_translation_result:
      "what came out of the background decoding of a reference code; fetch the launched error translation; decoding request is over, read the explanation; explanation from the decode job; read the finished error decoding; cause found for the reference",
    diag_url_debug_get:
      "debug a URL with pragma headers and logs in one go, now; cache hit or miss debug headers; why is this page not cached; see DNS, response headers and log lines of a URL; why a link is broken, debugged right here; complete debug output of an address; X-Cache headers; did the edge hit or miss; trace an address through DNS, headers and logs",
    diag_url_debug_launch:
      "start a URL debug in the background; asynchronous debug of a page; queue the URL debugging; job that investigates a failing web address, to read later; begin debugging an address and come back later; debug job for a URL",
    diag_url_debug_status:
      "is the background URL debug ready; progress of the launched URL debugging; poll the debug; is the debug job finished; state of a URL debugging job",
    diag_url_debug_result:
      "what came out of the background URL debug; fetch the launched debug of a page; findings of a URL debug job; output of the debug job; read the finished debugging of an address",
  },
  resources: { "diagnostic-locations": "test locations of the edge as a document" },
} satisfies Said<typeof service>;
