#compdef edgewise
# Completion of edgewise for zsh. Add to ~/.zshrc, behind compinit: source <(edgewise completion zsh)
_edgewise() {
  local line
  local -a found described
  found=("${(@f)$("${words[1]}" completion candidates "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${found[@]}"; do
    [[ -z $line ]] && continue
    line=${line//:/\\:}
    described+=("${line/$'\t'/:}")
  done
  if (( ${#described} )); then
    _describe edgewise described
  else
    _files
  fi
}
compdef _edgewise edgewise
