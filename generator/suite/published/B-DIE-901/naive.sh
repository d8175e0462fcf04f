tmux respawn-pane -t shop:till 'sleep 1000'
