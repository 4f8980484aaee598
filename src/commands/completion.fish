# Completion of edgewise for fish. Save as ~/.config/fish/completions/edgewise.fish
function __edgewise_candidates
    set -l typed (commandline -opc)
    set -l word (commandline -ct)
    set -l found ($typed[1] completion candidates $typed[2..-1] "$word" 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path $word
    end
end
complete -c edgewise -f -a '(__edgewise_candidates)'
