package roll.torch.parallel;

import java.util.ArrayList;
import java.util.List;
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
 * @param tied first and last stage, where both have the embedding; else null
 */
record Links(
    Communicator all,
    Communicator data,
    Communicator gathering,
    Communicator tensor,
    Communicator stages,
    @Nullable Communicator tied) {

  /** Those of every rank of {@code layout}. */
  static List<Links> of(Layout layout, Collectives collectives, boolean tiedHead) {
    int count = layout.ranks();
    List<Communicator> all = collectives.open(count);
    Communicator[][] groups = new Communicator[5][count];
    for (int s = 0; s < layout.pipeline(); s++) {
      for (int t = 0; t < layout.tensor(); t++) {
        for (int use = 0; use < 2; use++) {
          List<Communicator> data = collectives.open(layout.data());
          for (int d = 0; d < layout.data(); d++) {
            groups[use][layout.rank(d, s, t)] = data.get(d);
          }
        }
      }
    }
    for (int d = 0; d < layout.data(); d++) {
      for (int s = 0; s < layout.pipeline(); s++) {
        List<Communicator> tensor = collectives.open(layout.tensor());
        for (int t = 0; t < layout.tensor(); t++) {
          groups[2][layout.rank(d, s, t)] = tensor.get(t);
        }
      }
      for (int t = 0; t < layout.tensor(); t++) {
        List<Communicator> stages = collectives.open(layout.pipeline());
        for (int s = 0; s < layout.pipeline(); s++) {
          groups[3][layout.rank(d, s, t)] = stages.get(s);
        }
        if (tiedHead && layout.pipeline() > 1) {
          List<Communicator> tied = collectives.open(2);
          groups[4][layout.rank(d, 0, t)] = tied.get(0);
          groups[4][layout.rank(d, layout.pipeline() - 1, t)] = tied.get(1);
        }
      }
    }
    List<Links> links = new ArrayList<>();
    for (int rank = 0; rank < count; rank++) {
      links.add(
          new Links(
              all.get(rank),
              groups[0][rank],
              groups[1][rank],
              groups[2][rank],
              groups[3][rank],
              groups[4][rank]));
    }
    return links;
  }

  private Stream<Communicator> each() {
    return Stream.of(all, data, gathering, tensor, stages, tied).filter(group -> group != null);
  }

  /** Releases whoever waits in any of them. */
  void abort(Throwable cause) {
    each().forEach(group -> group.abort(cause));
  }

  /** Makes all of them usable again. */
  void reset() {
    each().forEach(Communicator::reset);
  }

  /** Closes all of them. */
  void close() {
    each().forEach(Communicator::close);
  }
}
