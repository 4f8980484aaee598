# Completion of edgewise for bash. Add to ~/.bashrc: eval "$(edgewise completion bash)"
_edgewise() {
  local line="${COMP_LINE:0:COMP_POINT}" word before="" separator part candidate
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word="${words[${#words[@]} - 1]}"
  for separator in "=" ":" "@"; do
    [[ $COMP_WORDBREAKS == *"$separator"* && $word == *"$separator"* ]] || continue
    part="${word%"${word##*"$separator"}"}"
    ((${#part} > ${#before})) && before="$part"
  done
  COMPREPLY=()
  while IFS= read -r candidate; do
    candidate="${candidate%%$'\t'*}"
    COMPREPLY+=("${candidate#"$before"}")
  done < <("${words[0]}" completion candidates "${words[@]:1}" 2>/dev/null)
}
complete -o default -F _edgewise edgewise
