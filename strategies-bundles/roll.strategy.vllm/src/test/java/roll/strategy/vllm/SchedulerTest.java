package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.config.WorkerConfig.Dtype;
import roll.strategy.vllm.config.EngineSettings;
import roll.strategy.vllm.config.WeightFormat;

/** Tests which sequences a step schedules, how many tokens, and which are preempted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SchedulerTest {
  private static final SharedPrefixes NONE = new SharedPrefixes(1, Long.MAX_VALUE);
  @AutoClose private final Tiny tiny = new Tiny();

  /** A scheduler over blocks of 4 tokens. */
  private static final class Stage {
    final BlockPool pool;
    final Scheduler scheduler;
    final EngineMetrics statistics = new EngineMetrics();

    Stage(int blocks, int tokens, int sequences) {
      this(blocks, tokens, sequences, true);
    }

    Stage(int blocks, int tokens, int sequences, boolean caching) {
      pool = new BlockPool(blocks, 4, caching);
      EngineSettings settings =
          new EngineSettings(
              4,
              blocks,
              tokens,
              sequences,
              4 * blocks,
              caching,
              Dtype.FP32,
              false,
              1,
              WeightFormat.PLAIN,
              true,
              null,
              EngineSettings.WeightUpdate.RECOMPUTE);
      scheduler = new Scheduler(settings, pool);
    }

    boolean together;

    StepPlan plan() {
      return scheduler.plan(statistics, together);
    }

    /** Makes a step in which every sampling sequence gets {@code token}. */
    StepPlan step(int token) {
      StepPlan plan = plan();
      StepInput packing =
          new StepInput(
              plan,
              new DecodeRows(4, 1, NONE),
              new AttentionGroups(4, 1, AttentionGroups.Bounds.DENSE));
      packing.numbers();
      for (EngineRequest sequence : List.copyOf(packing.drawing())) {
        sequence.add(token);
        sequence.response().add(token, 0, 0, 0);
        if (sequence.response().finished()) {
          scheduler.finish(sequence);
        }
      }
      return plan;
    }
  }

  private EngineRequest sequence(int length, int limit) {
    int first = 10 * length;
    return tiny.sequence(
        limit, 1, IntStream.range(first, first + length).map(i -> i % 144).toArray());
  }

  private static List<String> parts(StepPlan plan, EngineRequest... all) {
    List<String> parts = new ArrayList<>();
    for (StepPlan.Part part : plan.parts()) {
      int index = List.of(all).indexOf(part.sequence());
      parts.add("%d: %d+%d%s".formatted(index, part.from(), part.count(), part.draws() ? "!" : ""));
    }
    return parts;
  }

  @Test
  void theOldestGoFirstAndTheRestOfAStepIsForWhoWaits() {
    Stage stage = new Stage(100, 10, 10);
    EngineRequest a = sequence(6, 9);
    EngineRequest b = sequence(7, 9);
    EngineRequest c = sequence(3, 9);
    List.of(a, b, c).forEach(stage.scheduler::add);
    assertEquals(3, stage.scheduler.waiting());
    assertEquals(List.of("0: 0+6!", "1: 0+4"), parts(stage.step(1), a, b, c));
    assertEquals(List.of("0: 6+1!", "1: 4+3!", "2: 0+3!"), parts(stage.step(1), a, b, c));
    assertEquals(List.of("0: 7+1!", "1: 7+1!", "2: 3+1!"), parts(stage.step(1), a, b, c));
    assertEquals(3, stage.scheduler.running());
    assertEquals(0, stage.scheduler.waiting());
  }

  @Test
  void fewNewcomersWaitForAStepAndManyDoNot() {
    Stage stage = new Stage(100, 100, 20);
    List<EngineRequest> all = IntStream.range(0, 12).mapToObj(i -> sequence(2 + i, 9)).toList();
    all.subList(0, 9).forEach(stage.scheduler::add);
    stage.together = true;
    assertEquals(9, stage.step(1).parts().size());
    stage.scheduler.add(all.get(9));
    assertEquals(9, stage.step(1).parts().size());
    assertEquals(10, stage.step(1).parts().size());
    all.subList(10, 12).forEach(stage.scheduler::add);
    assertEquals(12, stage.step(1).parts().size());
  }

  @Test
  void aLongPromptIsComputedInChunksBesideWhoIsWritten() {
    Stage stage = new Stage(100, 8, 10);
    EngineRequest a = sequence(2, 9);
    EngineRequest b = sequence(20, 9);
    List.of(a, b).forEach(stage.scheduler::add);
    assertEquals(List.of("0: 0+2!", "1: 0+6"), parts(stage.step(1), a, b));
    assertEquals(List.of("0: 2+1!", "1: 6+7"), parts(stage.step(1), a, b));
    assertEquals(List.of("0: 3+1!", "1: 13+7!"), parts(stage.step(1), a, b));
  }

  @Test
  void soManyRunAtOnce() {
    Stage stage = new Stage(100, 100, 2);
    EngineRequest a = sequence(2, 1);
    EngineRequest b = sequence(3, 2);
    EngineRequest c = sequence(4, 2);
    List.of(a, b, c).forEach(stage.scheduler::add);
    assertEquals(List.of("0: 0+2!", "1: 0+3!"), parts(stage.step(1), a, b, c));
    assertEquals(List.of("1: 3+1!", "2: 0+4!"), parts(stage.step(1), a, b, c));
    assertEquals(List.of("2: 4+1!"), parts(stage.step(1), a, b, c));
    assertTrue(stage.scheduler.isEmpty());
    assertTrue(stage.plan().isEmpty());
    assertEquals(100, stage.pool.free());
  }

  /** 4 blocks: both fit until the older one needs its third. */
  @Test
  void theYoungestMakesRoomAndComesBack() {
    Stage stage = new Stage(4, 100, 10, false);
    EngineRequest a = sequence(7, 3);
    EngineRequest b = sequence(6, 3);
    List.of(a, b).forEach(stage.scheduler::add);
    assertEquals(List.of("0: 0+7!", "1: 0+6!"), parts(stage.step(1), a, b));
    assertEquals(List.of("0: 7+1!", "1: 6+1!"), parts(stage.step(1), a, b));
    assertEquals(List.of("0: 8+1!"), parts(stage.step(1), a, b));
    assertEquals(List.of(), b.blocks());
    assertEquals(0, b.computed());
    assertEquals(1, stage.scheduler.waiting());
    assertEquals(List.of("1: 0+8!"), parts(stage.step(1), a, b));
    assertTrue(stage.scheduler.isEmpty());
    assertEquals(4, stage.pool.free());
  }

  /** A preempted sequence precedes waiting ones, and reuses its remaining blocks. */
  @Test
  void whoWasPreemptedComesBeforeWhoWaitsAndFindsWhatIsLeft() {
    Stage stage = new Stage(4, 100, 2);
    EngineRequest a = sequence(7, 3);
    EngineRequest b = sequence(6, 9);
    EngineRequest c = sequence(2, 1);
    List.of(a, b, c).forEach(stage.scheduler::add);
    stage.step(1);
    stage.step(1);
    // there is a place and a block for the youngest, but it is not its turn
    assertEquals(List.of("0: 8+1!"), parts(stage.step(1), a, b, c));
    assertEquals(2, stage.scheduler.waiting());
    // one block of b was written over, the first was kept
    assertEquals(List.of("1: 4+4!", "2: 0+2!"), parts(stage.step(1), a, b, c));
  }

  @Test
  void samplesOfOnePromptAreComputedOnce() {
    Stage stage = new Stage(100, 100, 10);
    int[] prompt = {1, 2, 3, 4, 5, 6};
    EngineRequest a = tiny.sequence(3, 1, prompt);
    EngineRequest b = tiny.sequence(3, 2, prompt);
    EngineRequest c = tiny.sequence(3, 3, prompt);
    List.of(a, b, c).forEach(stage.scheduler::add);
    StepPlan first = stage.step(1);
    assertEquals(List.of("0: 0+6!"), parts(first, a, b, c));
    assertEquals(
        List.of(new StepPlan.Follower(b, a), new StepPlan.Follower(c, a)), first.followers());
    assertEquals(a.blocks(), b.blocks());
    assertEquals(2, stage.pool.used());
    assertEquals(
        List.of(1, 1, 1), List.of(a, b, c).stream().map(s -> s.response().size()).toList());

    // whoever writes first copies, the last one writes where it is
    Block shared = c.blocks().get(1);
    StepPlan second = stage.step(2);
    assertEquals(List.of("0: 6+1!", "1: 6+1!", "2: 6+1!"), parts(second, a, b, c));
    assertEquals(
        List.of(
            new StepPlan.Copy(shared, a.blocks().get(1)),
            new StepPlan.Copy(shared, b.blocks().get(1))),
        second.copies());
    assertSame(shared, c.blocks().get(1));
    assertSame(a.blocks().getFirst(), c.blocks().getFirst());
    assertEquals(4, stage.pool.used());
    stage.step(3);
    assertEquals(100, stage.pool.free());
  }

  /** Also without caching; and not once the first has drawn. */
  @Test
  void whoComesLaterReadsTheCacheInstead() {
    for (boolean caching : new boolean[] {true, false}) {
      Stage stage = new Stage(100, 100, 10, caching);
      int[] prompt = {1, 2, 3, 4, 5, 6};
      EngineRequest a = tiny.sequence(3, 1, prompt);
      stage.scheduler.add(a);
      stage.step(1);
      EngineRequest b = tiny.sequence(3, 2, prompt);
      stage.scheduler.add(b);
      StepPlan plan = stage.plan();
      assertEquals(List.of(), plan.followers());
      assertEquals(List.of("0: 6+1!", caching ? "1: 4+2!" : "1: 0+6!"), parts(plan, a, b));
      assertEquals(caching, a.blocks().getFirst() == b.blocks().getFirst());
      assertNotSame(a.blocks().get(1), b.blocks().get(1));
    }
  }

  /** A turn continues at the token where the last one ended, in a block of its own. */
  @Test
  void aConversationGoesOnWhereItEnded() {
    Stage stage = new Stage(100, 100, 10);
    EngineRequest first = tiny.sequence(3, 1, 1, 2, 3, 4, 5, 6);
    stage.scheduler.add(first);
    List.of(7, 8, 9).forEach(stage::step);
    EngineRequest next = tiny.sequence(3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 21);
    stage.scheduler.add(next);
    StepPlan plan = stage.step(40);
    // the last token drawn was not computed
    assertEquals(List.of("0: 8+3!"), parts(plan, next));
    EngineRequest other = tiny.sequence(3, 1, 1, 2, 3, 4, 5, 6, 30);
    stage.scheduler.add(other);
    StepPlan second = stage.plan();
    assertEquals(List.of("0: 11+1!", "1: 6+1!"), parts(second, next, other));
    assertEquals(1, second.copies().size());
    assertSame(other.blocks().get(1), second.copies().getFirst().to());
  }

  @Test
  void whoIsTakenOutLeavesNothing() {
    Stage stage = new Stage(4, 100, 10);
    EngineRequest a = sequence(7, 9);
    EngineRequest b = sequence(6, 9);
    EngineRequest c = sequence(9, 9);
    List.of(a, b, c).forEach(stage.scheduler::add);
    stage.step(1);
    stage.step(1);
    stage.step(1); // b is preempted, c waits
    assertEquals(List.of(b, c), stage.scheduler.remove(s -> s != a));
    assertEquals(List.of(a), stage.scheduler.remove(s -> true));
    assertTrue(stage.scheduler.isEmpty());
    assertEquals(4, stage.pool.free());
  }

  @Test
  void whatIsForgottenIsComputedAnew() {
    Stage stage = new Stage(10, 100, 10);
    EngineRequest a = sequence(7, 9);
    EngineRequest b = sequence(6, 9);
    List.of(a, b).forEach(stage.scheduler::add);
    stage.step(1);
    stage.step(1);
    stage.scheduler.forget();
    assertEquals(10, stage.pool.free());
    assertEquals(0, stage.pool.touched());
    assertEquals(List.of("0: 0+9!", "1: 0+8!"), parts(stage.plan(), a, b));
  }
}
