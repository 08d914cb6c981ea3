package roll.strategy.vllm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import roll.sampling.ResponseState;

/**
 * The integers of a {@link StepPlan} for {@code step.py}: first the tokens of sequences with {@link
 * DecodeRows}, in the order of the rows; then those of all others, grouped by similar numbers of
 * cached and new tokens. The order of {@link #drawing} is that of the tokens.
 */
final class StepInput {
  /**
   * Bounds of a group.
   *
   * @param read maximum numbers of the cache that it reads in a layer
   * @param masked maximum numbers of its mask
   * @param asked maximum padded tokens
   */
  record Bounds(long read, long masked, int asked) {
    /** Bounds on a processor: the numbers that a group reads stay in its cache. */
    static final Bounds DENSE = new Bounds(1 << 20, 1 << 20, 2048);

    /** Bounds with flash attention: a group copies at most 128 MiB in bf16, and has no mask. */
    static final Bounds FLASH = new Bounds(1 << 26, Long.MAX_VALUE, 1 << 16);
  }

  /** A group may be padded to this many sixteenths of its shortest sequence, and a little more. */
  private static final int PADDED = 20;

  private final StepPlan plan;
  private final int blockSize;
  private final int cellNumbers;
  private final Bounds bounds;
  private final DecodeRows.Arrangement rows;
  private final List<StepPlan.Part> parts = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>();
  private final List<EngineRequest> drawing = new ArrayList<>();
  private final List<ResponseState> responses = new ArrayList<>();

  /**
   * The {@code parts} from {@code first} to {@code end}, with {@code token} as the index of the
   * first token.
   */
  private record Group(int first, int end, int token, int tokens, int blocks, boolean fresh) {}

  /**
   * Lays out the tensors of the step {@code plan}.
   *
   * @param rows assignment of rows; arranged for this plan
   * @param cellNumbers numbers of the keys of one token in one layer
   * @param bounds of each group
   */
  StepInput(StepPlan plan, DecodeRows rows, int blockSize, int cellNumbers, Bounds bounds) {
    this.plan = plan;
    this.blockSize = blockSize;
    this.cellNumbers = cellNumbers;
    this.bounds = bounds;
    Map<Boolean, List<StepPlan.Part>> taken =
        plan.parts().stream().collect(Collectors.partitioningBy(rows::takes));
    this.rows = rows.arrange(requireNonNull(taken.get(true)));
    this.rows.groups().forEach(group -> parts.addAll(group.parts()));
    int seated = parts.size();
    List<StepPlan.Part> others = new ArrayList<>(requireNonNull(taken.get(false)));
    others.sort(
        Comparator.<StepPlan.Part>comparingInt(part -> fresh(part) ? 1 : 0)
            .thenComparingInt(StepPlan.Part::count)
            .thenComparingInt(this::blocks)
            .thenComparingLong(part -> part.sequence().arrival()));
    parts.addAll(others);
    group(seated);
  }

  private static boolean fresh(StepPlan.Part part) {
    return part.from() == 0 && part.count() > 1;
  }

  /** Returns the number of blocks that the queries of {@code part} read. */
  private int blocks(StepPlan.Part part) {
    return Math.ceilDiv(part.from() + part.count(), blockSize);
  }

  /** Groups the parts from {@code first} on; earlier ones have one token each. */
  private void group(int first) {
    int token = first;
    int next = first;
    int widest = 0;
    for (int end = first + 1; end <= parts.size(); end++) {
      StepPlan.Part last = parts.get(end - 1);
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

  /** Returns whether the parts from {@code first} to {@code end} can be one group. */
  private boolean fits(int first, int end, int widest) {
    StepPlan.Part least = parts.get(first);
    StepPlan.Part most = parts.get(end - 1);
    int count = end - first;
    int width = Math.max(widest, blocks(most));
    return fresh(least) == fresh(most)
        && (least.count() == 1) == (most.count() == 1)
        && near(least.count(), most.count(), 4)
        && count * most.count() <= bounds.asked()
        && (fresh(most)
            || (near(blocks(least), width, 2)
                && (long) count * width * blockSize * cellNumbers <= bounds.read()
                && (long) count * most.count() * width * blockSize <= bounds.masked()));
  }

  private static boolean near(int least, int most, int more) {
    return most <= PADDED * least / 16 + more;
  }

  /** Returns the parts, in the order of the tokens. */
  List<StepPlan.Part> parts() {
    return parts;
  }

  /**
   * Returns the sequences that sample a token, in the order of the logits' rows; those with
   * proposed tokens several times in succession.
   */
  List<EngineRequest> drawing() {
    return drawing;
  }

  /** Returns the responses that the tokens of {@link #drawing} continue. */
  List<ResponseState> responses() {
    return responses;
  }

  /** Returns the tables that are read; the index is the table's number. */
  List<DecodeRows.Group> tables() {
    return rows.groups();
  }

  /** Returns the integers of the step; fills {@link #drawing} and {@link #responses}. */
  long[] numbers() {
    int[] drawn = drawn();
    Numbers numbers = new Numbers(plan.tokens() * 4 + 64);
    numbers.add(plan.tokens(), drawn.length, plan.copies().size(), groups.size());
    numbers.add(rows.groups().size(), rows.moves().size(), rows.joins().size(), plan.passes());
    for (Group group : groups) {
      int fresh = group.fresh() ? 1 : 0;
      numbers.add(
          group.end() - group.first(), group.tokens(), group.blocks(), group.token(), fresh);
    }
    rows.groups().forEach(g -> numbers.add(g.parts().size(), g.width(), g.offset()));
    rows.moves().forEach(m -> numbers.add(table(m.table()), m.from(), m.to()));
    for (DecodeRows.Join join : rows.joins()) {
      int tokens = join.part().from() - join.offset();
      numbers.add(table(join.table()), join.row(), tokens, Math.ceilDiv(tokens, blockSize));
    }
    parts.forEach(part -> each(part, i -> numbers.add(part.sequence().token(i))));
    parts.forEach(part -> each(part, numbers::add));
    for (int pass = 0; pass < plan.passes(); pass++) {
      int passes = pass + 1;
      parts.forEach(
          part -> each(part, i -> numbers.add(cell(part.sequence(), i + part.ahead(passes)))));
    }
    if (plan.passes() > 1) {
      parts.forEach(part -> numbers.add(part.sequence().response().remaining()));
    }
    numbers.add(drawn);
    plan.copies().forEach(copy -> numbers.add(copy.from().id));
    plan.copies().forEach(copy -> numbers.add(copy.to().id));
    for (DecodeRows.Join join : rows.joins()) {
      int end = Math.ceilDiv(join.part().from(), blockSize);
      add(join.part().sequence(), join.offset() / blockSize, end, numbers);
    }
    groups.forEach(group -> add(group, numbers));
    return numbers.all();
  }

  /**
   * Returns how many of the first {@code numbers} are for the host; the rest are for the device.
   */
  static int head(long[] numbers) {
    return 8 + (int) (5 * numbers[3] + 3 * numbers[4] + 3 * numbers[5] + 4 * numbers[6]);
  }

  /** Returns the index of a table. */
  private int table(DecodeRows.Key table) {
    int place = 0;
    while (!rows.groups().get(place).table().equals(table)) {
      place++;
    }
    return place;
  }

  private interface Token {
    void at(int index);
  }

  private static void each(StepPlan.Part part, Token token) {
    for (int i = part.from(); i < part.from() + part.count(); i++) {
      token.at(i);
    }
  }

  private long cell(EngineRequest sequence, int index) {
    return (long) sequence.blocks().get(index / blockSize).id * blockSize + index % blockSize;
  }

  /**
   * Returns the tokens after which one is sampled: those of the parts, repeated for their
   * followers.
   */
  private int[] drawn() {
    int proposed = parts.stream().mapToInt(StepPlan.Part::proposed).sum();
    int[] rows = new int[parts.size() + proposed + plan.followers().size()];
    int count = 0;
    int token = 0;
    for (StepPlan.Part part : parts) {
      token += part.count();
      for (int ahead = 0; part.draws() && ahead <= part.proposed(); ahead++) {
        rows[count++] = token - 1 - part.proposed() + ahead;
        drawing.add(part.sequence());
        responses.add(part.sequence().ahead(ahead));
      }
    }
    for (StepPlan.Follower follower : plan.followers()) {
      rows[count++] = rows[drawing.indexOf(follower.leader())];
      drawing.add(follower.sequence());
      responses.add(follower.sequence().response());
    }
    return Arrays.copyOf(rows, count);
  }

  /**
   * Adds the blocks of {@code sequence} from {@code first} to {@code end}, repeating the last one
   * if it has fewer.
   */
  private static void add(EngineRequest sequence, int first, int end, Numbers numbers) {
    List<Block> blocks = sequence.blocks();
    for (int i = first; i < end; i++) {
      numbers.add(blocks.get(Math.min(i, blocks.size() - 1)).id);
    }
  }

  private void add(Group group, Numbers numbers) {
    List<StepPlan.Part> some = parts.subList(group.first(), group.end());
    if (!group.fresh()) {
      some.forEach(part -> add(part.sequence(), 0, group.blocks(), numbers));
    }
    if (group.tokens() > 1) {
      int token = group.token();
      for (StepPlan.Part part : some) {
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

  /** A growing array of numbers. */
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
