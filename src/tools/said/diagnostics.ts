/** What people say for diagnostics from the edge. */
import type { Said } from "../../api/said.js";
import type { diagnostics as service } from "../diagnostics/index.js";

export const diagnostics = {
  service: "diagnose; troubleshoot; debug; test from the edge; what is broken",
  operations: {
    diag_locations_list:
      "from which cities can I run tests; edge locations for diagnostics; list of test locations, places and countries",
    diag_location_dig_run:
      "dig a hostname from a city; does our name resolve in Japan; DNS lookup from a location, place or country; what does the resolver answer in Frankfurt",
    diag_location_mtr_run:
      "traceroute from a city; packet loss or high latency from a region; mtr from a location, place or country to our origin; where does the route get slow",
    diag_location_curl_run:
      "fetch a page from a city; does the site load in Germany; curl from a location, place or country; status code and headers as seen from Tokyo",
    diag_location_logs_list:
      "edge log lines of a city; grep the raw logs of a location or region; which requests came through the servers in a place",
    diag_ip_location_get:
      "where in the world is this IP address; geolocate or geo lookup of an IP; which country, city and ISP network is the address in",
    diag_ip_dig_run:
      "dig a hostname from a given edge server IP; DNS lookup from an edge address; what does this very edge machine resolve",
    diag_ip_mtr_run:
      "traceroute from a given edge server IP; mtr from an edge address; packet loss from that one edge machine to the origin",
    diag_ip_curl_run:
      "curl a URL from a given edge server IP; fetch the page through this very edge machine; headers from one edge address",
    diag_ip_logs_list:
      "edge log lines of a given edge server IP; grep logs on that one edge address; what did this machine log for a client",
    diag_user_link_create:
      "make a link to send to a customer who has a problem; get a visitor's IP and browser by a link; diagnostic link for an end user who complains",
    diag_user_requests_list:
      "who clicked the diagnostic link; submissions of end users; all answers from visitors to our diagnostic links",
    diag_user_request_get:
      "what IP, resolver and browser did the complaining visitor have; open one end user's submitted diagnostics; details from a customer's link",
    diag_gtm_properties_list:
      "which GTM properties do we have; global traffic management properties and domains; list DNS load balancing setups",
    diag_gtm_ips_list:
      "test and target IPs of a GTM property; to which addresses does global traffic management send people; servers behind a GTM domain",
    diag_url_translation_get:
      "how does the CDN see this URL; which CP code, origin and TTL does a URL have; how long is this page cached; translate a URL to its ARL or cache key",
    diag_ip_cdn_check:
      "is this IP one of the CDN's; verify an IP belongs to the network and answer now; is that address an edge server or an attacker; CDN IP or not",
    diag_ip_cdn_launch:
      "start a CDN check of an IP in the background; asynchronous verification of an address; queue the check whether the IP is an edge server",
    diag_ip_cdn_status:
      "is the background CDN check of the IP ready; progress of the launched address check; poll the IP verification",
    diag_ip_cdn_result:
      "what came out of the background CDN check of the IP; fetch the outcome of the launched address check",
    diag_url_statistic_get:
      "why does this URL fail; errors of a URL by status and edge IP right now; is the origin returning 503 for this page; error counts of one page",
    diag_url_statistic_launch:
      "start error statistics of a URL in the background; asynchronous error stats for a page; queue the collection of URL errors",
    diag_cpcode_statistic_get:
      "errors of a CP code right now; origin errors across a whole CP code by status; is the origin failing for all of the site; 5xx counts by CP code",
    diag_cpcode_statistic_launch:
      "start error statistics of a CP code in the background; asynchronous error stats for a CP code; queue the collection of errors",
    diag_statistic_status:
      "are the background error statistics ready; progress of launched error stats; poll the error statistics",
    diag_statistic_result:
      "what came out of the background error statistics; fetch the launched error stats of a URL or CP code",
    diag_error_translation_get:
      "what does Reference #18.abc on the error page mean; decode an error reference number; a visitor sent a screenshot with a reference code; Access Denied reference string, explain now",
    diag_error_translation_launch:
      "start decoding a reference code in the background; asynchronous translation of an error page's reference; queue the error translation",
    diag_error_translation_status:
      "is the background decoding of the reference code ready; progress of the launched error translation; poll the explanation",
    diag_error_translation_result:
      "what came out of the background decoding of a reference code; fetch the launched error translation",
    diag_url_debug_get:
      "debug a URL with pragma headers and logs in one go, now; cache hit or miss debug headers; why is this page not cached; see DNS, response headers and log lines of a URL",
    diag_url_debug_launch: "start a URL debug in the background; asynchronous debug of a page; queue the URL debugging",
    diag_url_debug_status: "is the background URL debug ready; progress of the launched URL debugging; poll the debug",
    diag_url_debug_result: "what came out of the background URL debug; fetch the launched debug of a page",
  },
  resources: { "diagnostic-locations": "test locations of the edge as a document" },
} satisfies Said<typeof service>;
