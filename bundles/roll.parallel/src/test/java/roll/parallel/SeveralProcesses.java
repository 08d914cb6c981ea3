package roll.parallel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.ThreadCollectives;

/** Threads, each with its ranks, that take each other for processes. */
final class SeveralProcesses implements Collectives {
  private final Map<String, List<Communicator>> groups = new HashMap<>();

  @Override
  public List<Communicator> open(int size) {
    return new ThreadCollectives().open(size);
  }

  @Override
  public synchronized List<Communicator> open(RankGroup group, LocalProcess site) {
    List<Communicator> all =
        groups.computeIfAbsent(group.label(), name -> new ThreadCollectives().open(group.size()));
    List<Communicator> own = new ArrayList<>();
    group.ranks(site.process()).forEach(rank -> own.add(all.get(rank)));
    return own;
  }
}
