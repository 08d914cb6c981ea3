package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The numbers of small plans, written out; {@link SimulationTest} has random ones. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StepInputTest {
  private static final SharedPrefixes NONE = new SharedPrefixes(1, Long.MAX_VALUE);
  @AutoClose private final Tiny tiny = new Tiny();

  private EngineRequest sequence(int computed, int first, int length, int... blocks) {
    EngineRequest sequence = tiny.sequence(3, 1, IntStream.range(first, first + length).toArray());
    sequence.begin(IntStream.of(blocks).mapToObj(Block::new).toList(), computed);
    return sequence;
  }

  @Test
  void onePromptIsOneFreshGroup() {
    StepPlan plan = new StepPlan();
    EngineRequest leader = sequence(0, 10, 3, 4, 2);
    EngineRequest follower = sequence(0, 10, 3, 4, 2);
    plan.add(leader, 3, false);
    plan.follow(follower, leader);
    StepInput packing =
        new StepInput(
            plan,
            new DecodeRows(64, 1, NONE),
            new AttentionGroups(2, 1, AttentionGroups.Bounds.DENSE));
    assertArrayEquals(
        new long[] {
          3,
          2,
          0,
          1, // tokens, drawn, copies, groups
          0,
          0,
          0,
          1, // tables, moves, joins, passes
          1,
          3,
          2,
          0,
          1, // sequences, tokens of each at most, blocks, first token, fresh
          10,
          11,
          12, // ids
          0,
          1,
          2, // positions
          8,
          9,
          4, // cells
          2,
          2, // rows: that of the leader twice
          0,
          1,
          2, // queries
          0,
          1,
          2 // which are no padding
        },
        packing.numbers());
    assertEquals(List.of(leader, follower), packing.drawing());
  }

  /** Two that write a token each, the shorter one padded; a chunk; a copy. */
  @Test
  void tokensAndChunksAreGroupsOfTheirOwn() {
    StepPlan plan = new StepPlan();
    EngineRequest chunk = sequence(2, 40, 9, 7, 8, 9);
    EngineRequest longer = sequence(4, 30, 5, 0, 1, 3);
    EngineRequest shorter = sequence(1, 20, 2, 5);
    plan.add(chunk, 3, false);
    plan.add(longer, 1, false);
    plan.add(shorter, 1, false);
    plan.copy(new Block(6), new Block(5));
    StepInput packing =
        new StepInput(
            plan,
            new DecodeRows(64, 1, NONE),
            new AttentionGroups(2, 1, AttentionGroups.Bounds.DENSE));
    assertArrayEquals(
        new long[] {
          5,
          2,
          1,
          2, // tokens, drawn, copies, groups
          0,
          0,
          0,
          1, // tables, moves, joins, passes
          2,
          1,
          3,
          0,
          0, // the two that write
          1,
          3,
          3,
          2,
          0, // the chunk
          21,
          34,
          42,
          43,
          44, // ids
          1,
          4,
          2,
          3,
          4, // positions
          11,
          6,
          16,
          17,
          18, // cells
          0,
          1, // rows
          6, // copied from
          5, // and to
          5,
          5,
          5,
          0,
          1,
          3, // tables
          7,
          8,
          9, // table of the chunk
          2,
          3,
          4, // its queries
          0,
          1,
          2 // which are no padding
        },
        packing.numbers());
    assertEquals(List.of(shorter, longer), packing.drawing());
  }

  /** Two prompts of about the same length are padded to the longer one. */
  @Test
  void promptsOfAboutTheSameLengthAreOneGroup() {
    StepPlan plan = new StepPlan();
    EngineRequest three = sequence(0, 10, 3, 0, 1);
    EngineRequest two = sequence(0, 20, 2, 2);
    plan.add(three, 3, false);
    plan.add(two, 2, false);
    assertArrayEquals(
        new long[] {
          5,
          2,
          0,
          1, // tokens, drawn, copies, groups
          0,
          0,
          0,
          1, // tables, moves, joins, passes
          2,
          3,
          2,
          0,
          1, // two sequences of at most three tokens
          20,
          21,
          10,
          11,
          12, // ids
          0,
          1,
          0,
          1,
          2, // positions
          4,
          5,
          0,
          1,
          2, // cells
          1,
          4, // rows
          0,
          1,
          1,
          2,
          3,
          4, // queries, the last of the first is padding
          0,
          1,
          3,
          4,
          5 // which are none
        },
        new StepInput(
                plan,
                new DecodeRows(64, 1, NONE),
                new AttentionGroups(2, 1, AttentionGroups.Bounds.DENSE))
            .numbers());
  }

  /**
   * One that continues token by token gets a row, and keeps it as long as the row is long enough.
   */
  @Test
  void whoWritesHasARow() {
    DecodeRows rows = new DecodeRows(64, 1, NONE);
    StepPlan plan = new StepPlan();
    EngineRequest writer = sequence(3, 20, 4, 5, 6);
    plan.add(writer, 1, true);
    StepInput packing =
        new StepInput(plan, rows, new AttentionGroups(2, 1, AttentionGroups.Bounds.DENSE));
    assertArrayEquals(
        new long[] {
          1,
          1,
          0,
          0, // tokens, drawn, copies, groups
          1,
          0,
          1,
          1, // tables, moves, joins, passes
          1,
          4,
          0, // rows that are read, tokens of each, tokens of their prefix
          0,
          0,
          3,
          2, // the join: table, row, tokens so far, blocks
          23, // id
          3, // position
          13, // cell
          0, // drawn
          5,
          6 // blocks of the join
        },
        packing.numbers());
    assertEquals(64, packing.tables().getFirst().table().length());
    StepPlan next = new StepPlan();
    next.add(writer, 1, true);
    assertEquals(
        0,
        new StepInput(next, rows, new AttentionGroups(2, 1, AttentionGroups.Bounds.DENSE))
            .numbers()[6]);
  }
}
