package roll.torch.parallel.shard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.torch.collective.Collectives;
import roll.torch.collective.Communicator;

/**
 * The groups a rank belongs to.
 *
 * @param all every rank
 * @param data ranks that train on other samples with the same share of the model
 * @param gathering the same, for gathering parameters beside other work
 * @param tensor ranks with the other shares of the same layers
 * @param stages ranks with the same share of the other layers, by stage
 * @param tied first and last stage, where both have the embedding; otherwise null
 */
public record ProcessGroups(
    Communicator all,
    Communicator data,
    Communicator gathering,
    Communicator tensor,
    Communicator stages,
    @Nullable Communicator tied) {

  /** Those of every rank of {@code layout}. */
  public static List<ProcessGroups> of(
      ParallelLayout layout, Collectives collectives, boolean tiedHead) {
    record Pair(int one, int other) {}
    Opening opening = new Opening(layout, collectives);
    int last = layout.pipeline() - 1;
    List<@Nullable Communicator> all = opening.groups(place -> layout);
    List<@Nullable Communicator> data = opening.groups(p -> new Pair(p.stage(), p.tensor()));
    List<@Nullable Communicator> gathering = opening.groups(p -> new Pair(p.stage(), p.tensor()));
    List<@Nullable Communicator> tensor = opening.groups(p -> new Pair(p.data(), p.stage()));
    List<@Nullable Communicator> stages = opening.groups(p -> new Pair(p.data(), p.tensor()));
    List<@Nullable Communicator> tied =
        opening.groups(
            p ->
                tiedHead && last > 0 && (p.stage() == 0 || p.stage() == last)
                    ? new Pair(p.data(), p.tensor())
                    : null);
    return IntStream.range(0, layout.ranks())
        .mapToObj(
            rank ->
                new ProcessGroups(
                    Objects.requireNonNull(all.get(rank)),
                    Objects.requireNonNull(data.get(rank)),
                    Objects.requireNonNull(gathering.get(rank)),
                    Objects.requireNonNull(tensor.get(rank)),
                    Objects.requireNonNull(stages.get(rank)),
                    tied.get(rank)))
        .toList();
  }

  /** Forms groups of the ranks of a layout. */
  private record Opening(ParallelLayout layout, Collectives collectives) {
    /**
     * Each rank's end of the group of those that have the same {@code key}, in the order of the
     * ranks; null where the key is.
     */
    List<@Nullable Communicator> groups(Function<ParallelLayout.Place, @Nullable Object> key) {
      Map<Object, List<Integer>> members = new LinkedHashMap<>();
      List<@Nullable Communicator> ends = new ArrayList<>();
      for (int rank = 0; rank < layout.ranks(); rank++) {
        ends.add(null);
        Object own = key.apply(layout.place(rank));
        if (own != null) {
          members.computeIfAbsent(own, any -> new ArrayList<>()).add(rank);
        }
      }
      for (List<Integer> group : members.values()) {
        List<Communicator> opened = collectives.open(group.size());
        for (int i = 0; i < group.size(); i++) {
          ends.set(group.get(i), opened.get(i));
        }
      }
      return ends;
    }
  }

  private Stream<Communicator> each() {
    return Stream.of(all, data, gathering, tensor, stages, tied).filter(group -> group != null);
  }

  /** Releases whoever waits in any of them. */
  public void abort(Throwable cause) {
    each().forEach(group -> group.abort(cause));
  }

  /** Makes all of them usable again. */
  public void reset() {
    each().forEach(Communicator::reset);
  }

  /** Closes all of them. */
  public void close() {
    each().forEach(Communicator::close);
  }
}
