package roll.parallel.shard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;

/**
 * The communicators of a rank for data, tensor and pipeline parallelism.
 *
 * @param all all ranks; used to transfer state
 * @param data data-parallel ranks with the same share of the model
 * @param gathering the same ranks, for gathering parameters concurrently
 * @param tensor tensor-parallel ranks of the same layers
 * @param stages ranks of the other pipeline stages with the same share, by stage
 * @param tied first and last stage if both have a tied embedding, otherwise null
 */
public record ProcessGroups(
    Communicator all,
    Communicator data,
    Communicator gathering,
    Communicator tensor,
    Communicator stages,
    @Nullable Communicator tied) {

  /** Forms the groups of every rank of {@code layout}, all on the CPU in this process. */
  public static List<ProcessGroups> of(
      ParallelLayout layout, Collectives collectives, boolean tiedHead) {
    RankGroup world =
        RankGroup.here("ranks", Collections.nCopies(layout.ranks(), RankLocation.CPU));
    return of(layout, collectives, tiedHead, world, LocalProcess.alone());
  }

  /**
   * Forms the groups of the ranks of {@code layout} in the process of {@code site}, by rank.
   *
   * @param world locations of all ranks
   * @throws UserException if the collectives for these ranks are not installed
   * @throws RankFailure if the groups were not formed in time; then none is open
   */
  public static List<ProcessGroups> of(
      ParallelLayout layout,
      Collectives collectives,
      boolean tiedHead,
      RankGroup world,
      LocalProcess site) {
    record Pair(int one, int other) {}
    Opening opening = new Opening(layout, collectives, world, site, new ArrayList<>());
    int last = layout.pipeline() - 1;
    try {
      Map<Integer, Communicator> all = opening.groups("all", place -> layout);
      Map<Integer, Communicator> data =
          opening.groups("data", p -> new Pair(p.stage(), p.tensor()));
      Map<Integer, Communicator> gathering =
          opening.groups("gathering", p -> new Pair(p.stage(), p.tensor()));
      Map<Integer, Communicator> tensor =
          opening.groups("tensor", p -> new Pair(p.data(), p.stage()));
      Map<Integer, Communicator> stages =
          opening.groups("stages", p -> new Pair(p.data(), p.tensor()));
      Map<Integer, Communicator> tied =
          opening.groups(
              "tied",
              p ->
                  tiedHead && last > 0 && (p.stage() == 0 || p.stage() == last)
                      ? new Pair(p.data(), p.tensor())
                      : null);
      return world.ranks(site.process()).stream()
          .map(
              rank ->
                  new ProcessGroups(
                      Objects.requireNonNull(all.get(rank)),
                      Objects.requireNonNull(data.get(rank)),
                      Objects.requireNonNull(gathering.get(rank)),
                      Objects.requireNonNull(tensor.get(rank)),
                      Objects.requireNonNull(stages.get(rank)),
                      tied.get(rank)))
          .toList();
    } catch (RuntimeException failure) {
      opening.opened().forEach(Communicator::close);
      throw failure;
    }
  }

  /** Forms the groups of a layout, in the same order in every process. */
  private record Opening(
      ParallelLayout layout,
      Collectives collectives,
      RankGroup world,
      LocalProcess site,
      List<Communicator> opened) {
    /**
     * Returns the communicators of this process's ranks in the groups of ranks with equal {@code
     * key}; ranks with a null key are in none.
     */
    Map<Integer, Communicator> groups(
        String kind, Function<ParallelLayout.Coordinates, @Nullable Object> key) {
      Map<Object, List<Integer>> members = new LinkedHashMap<>();
      for (int rank = 0; rank < layout.ranks(); rank++) {
        Object own = key.apply(layout.coordinates(rank));
        if (own != null) {
          members.computeIfAbsent(own, any -> new ArrayList<>()).add(rank);
        }
      }
      Map<Integer, Communicator> ends = new HashMap<>();
      int number = 0;
      for (List<Integer> ranks : members.values()) {
        RankGroup group = world.of(kind + " " + number++, ranks);
        List<Integer> own = group.ranks(site.process());
        if (own.isEmpty()) {
          continue;
        }
        List<Communicator> here = collectives.open(group, site);
        opened.addAll(here);
        for (int i = 0; i < own.size(); i++) {
          ends.put(ranks.get(own.get(i)), here.get(i));
        }
      }
      return ends;
    }
  }

  private Stream<Communicator> each() {
    return Stream.of(all, data, gathering, tensor, stages, tied).filter(group -> group != null);
  }

  /** Aborts the communicators of all process groups. */
  public void abort(Throwable cause) {
    each().forEach(group -> group.abort(cause));
  }

  /** Resets the communicators of all process groups. */
  public void reset() {
    each().forEach(Communicator::reset);
  }

  /** Closes the communicators of all process groups. */
  public void close() {
    each().forEach(Communicator::close);
  }
}
