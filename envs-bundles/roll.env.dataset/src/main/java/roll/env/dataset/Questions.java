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
 * <p>The question of an episode is a function of its {@link EpisodeStart} alone, so a resumed run
 * continues without a saved cursor.
 */
final class Questions {
  private static final String ORDER = "dataset";
  private static final String DRAW = "dataset/draw";

  private final List<Question> all;
  private final AtomicReference<@Nullable Order> known = new AtomicReference<>();

  /** Creates questions in the order of the files. */
  Questions(List<Question> all) {
    this.all = List.copyOf(all);
  }

  /** The shuffled rows of an epoch, cached because all its episodes need them. */
  private record Order(long root, long epoch, int[] rows) {}

  int size() {
    return all.size();
  }

  List<Question> all() {
    return all;
  }

  /** Returns the questions that {@code kept} accepts. */
  Questions keeping(Predicate<Question> kept) {
    return new Questions(all.stream().filter(kept).toList());
  }

  /** Returns a random question of the set. */
  Question any(long seed) {
    return all.get(RandomStreams.of(seed, ORDER).nextInt(all.size()));
  }

  /** Returns questions in the order of the files, cyclically. */
  Question inOrder(long position) {
    return all.get((int) (position % all.size()));
  }

  /**
   * Returns the question of a training episode. Epochs have whole steps only: rows that do not fill
   * the last step are skipped, different ones in each shuffled epoch. Fewer rows than groups per
   * step repeat. A group that was dropped is replaced by another row.
   */
  Question trained(EpisodeStart start, boolean shuffle) {
    int groups = Math.max(1, start.groups());
    int usable = all.size() < groups ? all.size() : all.size() / groups * groups;
    int place = (int) (start.position() % usable);
    int row = shuffle ? order(start.root(), start.position() / usable).rows()[place] : place;
    return all.get(start.draw() > 0 ? other(row, start) : row);
  }

  /** Returns another row; none repeats before all other rows were used. */
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

  /** Returns a random permutation (Fisher–Yates). */
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
