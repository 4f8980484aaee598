/**
 * `edgewise completion`: the scripts for completing Edgewise's commands, tools, arguments and their values in a shell.
 */
import { type Command, print, refuse } from "./command.js";

/**
 * The completion script of each shell. It runs `edgewise completion candidates` with the words of the line, the last
 * one incomplete, and gets one candidate per line, with its meaning after a tab.
 */
const scripts: Readonly<Record<string, string>> = {
  // Bash completes the part after the last separator of COMP_WORDBREAKS, so only that part is returned. The bash of
  // macOS, 3.2, reads nothing from `source <(…)`.
  bash: `# Completion of edgewise for bash. Add to ~/.bashrc: eval "$(edgewise completion bash)"
_edgewise() {
  local line="\${COMP_LINE:0:COMP_POINT}" word before="" separator part candidate
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word="\${words[\${#words[@]} - 1]}"
  for separator in "=" ":" "@"; do
    [[ $COMP_WORDBREAKS == *"$separator"* && $word == *"$separator"* ]] || continue
    part="\${word%"\${word##*"$separator"}"}"
    ((\${#part} > \${#before})) && before="$part"
  done
  COMPREPLY=()
  while IFS= read -r candidate; do
    candidate="\${candidate%%$'\\t'*}"
    COMPREPLY+=("\${candidate#"$before"}")
  done < <("\${words[0]}" completion candidates "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _edgewise edgewise`,
  // `_describe` separates a word from its meaning by a colon, so colons in the word are escaped.
  zsh: `#compdef edgewise
# Completion of edgewise for zsh. Add to ~/.zshrc, behind compinit: source <(edgewise completion zsh)
_edgewise() {
  local line
  local -a found described
  found=("\${(@f)$("\${words[1]}" completion candidates "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${found[@]}"; do
    [[ -z $line ]] && continue
    line=\${line//:/\\\\:}
    described+=("\${line/$'\\t'/:}")
  done
  if (( \${#described} )); then
    _describe edgewise described
  else
    _files
  fi
}
compdef _edgewise edgewise`,
  fish: `# Completion of edgewise for fish. Save as ~/.config/fish/completions/edgewise.fish
function __edgewise_candidates
    set -l typed (commandline -opc)
    set -l word (commandline -ct)
    set -l found ($typed[1] completion candidates $typed[2..-1] "$word" 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path $word
    end
end
complete -c edgewise -f -a '(__edgewise_candidates)'`,
};

export const completionCommand: Command = async (_, [shell = ""]) => {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    refuse(
      "completion takes the name of a shell.",
      `Write edgewise completion and one of ${Object.keys(scripts).join(", ")}.`,
    );
  print(script);
  return 0;
};
