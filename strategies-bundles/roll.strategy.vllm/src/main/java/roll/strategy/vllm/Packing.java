package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import roll.torch.sampling.Response;

/**
 * A {@link Plan} as {@code step.py} reads it. Sequences that look at about as much of the cache
 * with about as many new tokens are a group; the order in which they are packed follows from that,
 * and that of {@link #drawing} from the order packed.
 */
final class Packing {
  /** Numbers of the cache that a group reads of a layer: few enough to stay near the processor. */
  private static final int READ = 1 << 20;

  /** Numbers of a group's mask. */
  private static final int MASKED = 1 << 20;

  /** Padded tokens of a group. */
  private static final int ASKED = 2048;

  /** A group may be padded to so many sixteenths of its shortest sequence, and a little more. */
  private static final int PADDED = 20;

  private final Plan plan;
  private final int blockSize;
  private final int cellNumbers;
  private final List<Plan.Part> parts;
  private final List<Group> groups = new ArrayList<>();
  private final List<Sequence> drawing = new ArrayList<>();

  /** {@code parts} from {@code first} to {@code end}, whose first token is number {@code token}. */
  private record Group(int first, int end, int token, int tokens, int blocks, boolean fresh) {}

  /**
   * Packs {@code plan}.
   *
   * @param cellNumbers how many numbers the keys of one token in one layer are
   */
  Packing(Plan plan, int blockSize, int cellNumbers) {
    this.plan = plan;
    this.blockSize = blockSize;
    this.cellNumbers = cellNumbers;
    this.parts = new ArrayList<>(plan.parts());
    parts.sort(
        Comparator.<Plan.Part>comparingInt(part -> fresh(part) ? 1 : 0)
            .thenComparingInt(Plan.Part::count)
            .thenComparingInt(this::blocks)
            .thenComparingLong(part -> part.sequence().arrival()));
    group();
  }

  private static boolean fresh(Plan.Part part) {
    return part.from() == 0 && part.count() > 1;
  }

  /** How many blocks the queries of {@code part} look at. */
  private int blocks(Plan.Part part) {
    return Math.ceilDiv(part.from() + part.count(), blockSize);
  }

  private void group() {
    int first = 0;
    int token = 0;
    int next = 0;
    int widest = 0;
    for (int end = 1; end <= parts.size(); end++) {
      Plan.Part last = parts.get(end - 1);
      next += last.count();
      widest = Math.max(widest, blocks(last));
      if (end == parts.size() || !fits(first, end + 1, widest)) {
        groups.add(new Group(first, end, token, last.count(), widest, fresh(last)));
        first = end;
        token = next;
        widest = 0;
      }
    }
  }

  /** Whether the parts from {@code first} to {@code end} can be one group. */
  private boolean fits(int first, int end, int widest) {
    Plan.Part least = parts.get(first);
    Plan.Part most = parts.get(end - 1);
    int count = end - first;
    int width = Math.max(widest, blocks(most));
    return fresh(least) == fresh(most)
        && (least.count() == 1) == (most.count() == 1)
        && near(least.count(), most.count(), 4)
        && count * most.count() <= ASKED
        && (fresh(most)
            || (near(blocks(least), width, 2)
                && (long) count * width * blockSize * cellNumbers <= READ
                && (long) count * most.count() * width * blockSize <= MASKED));
  }

  private static boolean near(int least, int most, int more) {
    return most <= PADDED * least / 16 + more;
  }

  /** Who draws a token, in the order of the rows. */
  List<Sequence> drawing() {
    return drawing;
  }

  /** The responses of {@link #drawing}. */
  List<Response> responses() {
    return drawing.stream().map(Sequence::response).toList();
  }

  /** The numbers; fills {@link #drawing}. */
  long[] numbers() {
    int[] rows = rows();
    Numbers numbers = new Numbers(plan.tokens() * 4 + 64);
    numbers.add(plan.tokens(), rows.length, plan.copies().size(), groups.size());
    for (Group group : groups) {
      int fresh = group.fresh() ? 1 : 0;
      numbers.add(
          group.end() - group.first(), group.tokens(), group.blocks(), group.token(), fresh);
    }
    parts.forEach(part -> each(part, i -> numbers.add(part.sequence().token(i))));
    parts.forEach(part -> each(part, numbers::add));
    parts.forEach(part -> each(part, i -> numbers.add(cell(part.sequence(), i))));
    numbers.add(rows);
    plan.copies().forEach(copy -> numbers.add(copy.from().id));
    plan.copies().forEach(copy -> numbers.add(copy.to().id));
    groups.forEach(group -> add(group, numbers));
    return numbers.all();
  }

  private interface Token {
    void at(int index);
  }

  private static void each(Plan.Part part, Token token) {
    for (int i = part.from(); i < part.from() + part.count(); i++) {
      token.at(i);
    }
  }

  private long cell(Sequence sequence, int index) {
    return (long) sequence.blocks().get(index / blockSize).id * blockSize + index % blockSize;
  }

  /** Behind which tokens one is drawn: those of the parts, and again those of their followers. */
  private int[] rows() {
    int[] rows = new int[parts.size() + plan.followers().size()];
    int count = 0;
    int token = 0;
    for (Plan.Part part : parts) {
      token += part.count();
      if (part.draws()) {
        rows[count++] = token - 1;
        drawing.add(part.sequence());
      }
    }
    for (Plan.Follower follower : plan.followers()) {
      rows[count++] = rows[drawing.indexOf(follower.leader())];
      drawing.add(follower.sequence());
    }
    return Arrays.copyOf(rows, count);
  }

  private void add(Group group, Numbers numbers) {
    List<Plan.Part> some = parts.subList(group.first(), group.end());
    if (!group.fresh()) {
      for (Plan.Part part : some) {
        List<Block> blocks = part.sequence().blocks();
        for (int i = 0; i < group.blocks(); i++) {
          numbers.add(blocks.get(Math.min(i, blocks.size() - 1)).id);
        }
      }
    }
    if (group.tokens() > 1) {
      int token = group.token();
      for (Plan.Part part : some) {
        for (int i = 0; i < group.tokens(); i++) {
          numbers.add(token + Math.min(i, part.count() - 1));
        }
        token += part.count();
      }
      for (int row = 0; row < some.size(); row++) {
        for (int i = 0; i < some.get(row).count(); i++) {
          numbers.add((long) row * group.tokens() + i);
        }
      }
    }
  }

  /** Numbers that become more. */
  private static final class Numbers {
    private long[] numbers;
    private int size;

    Numbers(int room) {
      numbers = new long[room];
    }

    void add(long number) {
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * size);
      }
      numbers[size++] = number;
    }

    void add(int... more) {
      for (int number : more) {
        add((long) number);
      }
    }

    long[] all() {
      return Arrays.copyOf(numbers, size);
    }
  }
}
