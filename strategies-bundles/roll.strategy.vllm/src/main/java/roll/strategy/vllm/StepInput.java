package roll.strategy.vllm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import roll.sampling.ResponseState;

/**
 * The integers of a {@link StepPlan} for {@code step.py}: first the tokens of sequences with {@link
 * DecodeRows}, in the order of the rows; then those of all others, in {@link AttentionGroups}. The
 * order of {@link #drawing} is that of the tokens.
 */
final class StepInput {
  private final StepPlan plan;
  private final int blockSize;
  private final DecodeRows.Arrangement rows;
  private final List<StepPlan.Part> parts = new ArrayList<>();
  private final List<AttentionGroups.Group> groups;
  private final List<EngineRequest> drawing = new ArrayList<>();
  private final List<ResponseState> responses = new ArrayList<>();

  /**
   * Lays out the tensors of the step {@code plan}.
   *
   * @param rows assignment of rows; arranged for this plan
   * @param attention groups the sequences without rows
   */
  StepInput(StepPlan plan, DecodeRows rows, AttentionGroups attention) {
    this.plan = plan;
    this.blockSize = attention.blockSize();
    Map<Boolean, List<StepPlan.Part>> taken =
        plan.parts().stream().collect(Collectors.partitioningBy(rows::takes));
    this.rows = rows.arrange(requireNonNull(taken.get(true)));
    this.rows.groups().forEach(group -> parts.addAll(group.parts()));
    int seated = parts.size();
    parts.addAll(attention.sorted(requireNonNull(taken.get(false))));
    this.groups = attention.of(parts, seated);
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
    for (AttentionGroups.Group group : groups) {
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

  private void add(AttentionGroups.Group group, Numbers numbers) {
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
