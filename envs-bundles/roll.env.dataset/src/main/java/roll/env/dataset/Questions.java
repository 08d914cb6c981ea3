package roll.env.dataset;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.env.EpisodeStart;

/**
 * The questions of training or of validation, and the order in which episodes go through them.
 *
 * <p>Which one an episode gets is a function of its {@link EpisodeStart} alone, so that a run that
 * is resumed continues where it was: no cursor has to be saved.
 */
final class Questions {
  private static final String ORDER = "dataset";
  private static final String DRAW = "dataset/draw";

  private final List<Question> all;
  private final AtomicReference<@Nullable Order> known = new AtomicReference<>();

  /** In the order of the files. */
  Questions(List<Question> all) {
    this.all = List.copyOf(all);
  }

  /** The rows of an epoch by lot, remembered since all episodes of an epoch ask for it. */
  private record Order(long root, long epoch, int[] rows) {}

  int size() {
    return all.size();
  }

  List<Question> all() {
    return all;
  }

  /** Those that {@code kept} accepts. */
  Questions keeping(Predicate<Question> kept) {
    return new Questions(all.stream().filter(kept).toList());
  }

  /** One by lot. */
  Question any(long seed) {
    return all.get(RandomStreams.of(seed, ORDER).nextInt(all.size()));
  }

  /** In the order of the files, again and again. */
  Question inOrder(long position) {
    return all.get((int) (position % all.size()));
  }

  /**
   * Epoch after epoch. Whole steps only: rows that do not fill an epoch's last step are left out of
   * it, other ones in each epoch where they are shuffled; fewer rows than a step has groups are
   * gone through without a pause. The place of a group that was dropped goes to another row.
   */
  Question trained(EpisodeStart start, boolean shuffle) {
    int groups = Math.max(1, start.groups());
    int usable = all.size() < groups ? all.size() : all.size() / groups * groups;
    int place = (int) (start.position() % usable);
    int row = shuffle ? order(start.root(), start.position() / usable).rows()[place] : place;
    return all.get(start.draw() > 0 ? other(row, start) : row);
  }

  /** As often as there are other rows it is never the same one. */
  private int other(int row, EpisodeStart start) {
    int others = all.size() - 1;
    if (others == 0) {
      return row;
    }
    int first = RandomStreams.of(start.root(), DRAW, start.position()).nextInt(others);
    int skipped = 1 + (int) (((long) first + start.draw() - 1) % others);
    return (int) (((long) row + skipped) % all.size());
  }

  private Order order(long root, long epoch) {
    Order order = known.get();
    if (order == null || order.root() != root || order.epoch() != epoch) {
      order = new Order(root, epoch, permutation(RandomStreams.of(root, ORDER, epoch)));
      known.set(order);
    }
    return order;
  }

  /** Fisher and Yates. */
  private int[] permutation(RandomGenerator random) {
    int[] rows = new int[all.size()];
    for (int i = 0; i < rows.length; i++) {
      int j = random.nextInt(i + 1);
      rows[i] = rows[j];
      rows[j] = i;
    }
    return rows;
  }
}
