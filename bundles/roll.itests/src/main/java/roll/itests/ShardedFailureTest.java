package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;
import roll.itests.ShardedRuns.Spread;

/** Invalid layouts are refused in one line; a failure on one rank ends the run on all. */
@Tag("framework")
@Timeout(240)
class ShardedFailureTest {
  private final Path folder;
  private final ShardedRuns runs;

  ShardedFailureTest(@TempDir Path folder) {
    this.folder = folder;
    this.runs = new ShardedRuns(folder);
  }

  @Test
  void whatDoesNotFitIsRefusedWithOneLine() throws Exception {
    String config = "actor_train.strategy_args.strategy_config";
    assertEquals(
        config + ".tensor_model_parallel_size: 4 does not divide the model's 6 attention heads",
        runs.mistake(Spread.megatron(1, 1, 4, "")));
    String uneven =
        runs.mistake(
            new Spread(
                "megatron_train",
                "{tensor_model_parallel_size: 2, pipeline_model_parallel_size: 2}",
                2,
                1));
    assertTrue(uneven.contains("actor_train.device_mapping: 2 devices, no multiple of"), uneven);
    assertEquals(
        config + ".zero_optimization.stage: expected an integer from 0 to 3, found '4'",
        runs.mistake(Spread.zero(2, 4)));
    assertEquals(
        config
            + ".zero_optimization: unknown key 'stge' (allowed: stage, offload_optimizer,"
            + " offload_param, stage3_param_persistence_threshold, stage3_prefetch_bucket_size);"
            + " did you mean 'stage'?",
        runs.mistake(new Spread("zero3", "{zero_optimization: {stge: 3}}", 2, 2)));
    assertEquals(
        "actor_train.model_args.lora_dropout: 0.1: zero3 trains adapters without dropout (0);"
            + " local_train has it",
        runs.mistake(
            new Spread("zero3", "{}", 2, 2),
            "actor_train.model_args={lora_target: all-linear, lora_dropout: 0.1}"));
    String absent =
        runs.mistake(Spread.zero(2, 3), "actor_train.device_mapping=[0,2]", "num_nodes=1");
    assertTrue(absent.contains("there is no device 2"), absent);
    String writes =
        runs.mistake(Spread.ALONE, "actor_infer.strategy_args={strategy_name: megatron_infer}");
    assertTrue(writes.contains("scores, but does not generate responses"), writes);

    Path model = Files.createDirectory(folder.resolve("model"));
    RandomModelFolder.write(
        model,
        "qwen2",
        Map.of("hidden_size", 24, "num_attention_heads", 6, "num_key_value_heads", 6));
    assertEquals(
        config
            + ".tensor_model_parallel_size: 3 does not divide the model's "
            + RandomModelFolder.VOCABULARY
            + " vocabulary tokens",
        runs.mistake(Spread.megatron(1, 1, 3, ""), "pretrain=" + model, "sequence_length=128"));
  }

  @Test
  void aRankThatFailsEndsTheRunAndLeavesAWholeCheckpoint() throws Exception {
    fails(Spread.zero(2, 3), () -> new IllegalStateException("the loss broke"), "the loss broke");
  }

  @Test
  void outOfMemoryOnAPipelineStageDoesToo() throws Exception {
    fails(Spread.megatron(1, 2, 2, ""), () -> new OutOfMemoryError("no room"), "no room");
  }

  /** A failure in the middle of the third step leaves the checkpoint of the second. */
  private void fails(Spread spread, Supplier<Throwable> failure, String message) throws Exception {
    String[] keys = {"max_steps=4", "save_steps=2", "actor_train.pg_variant=breaking"};
    FailingLoss loss = new FailingLoss(failure);
    try (RegisteredService _ =
        RegisteredService.of(PolicyLoss.class, loss, "roll.loss", "breaking")) {
      Path whole = runs.train("whole", spread, keys);
      loss.breakAt(loss.calls() * 5 / 8);
      Throwable end = assertThrows(Throwable.class, () -> runs.train("broken", spread, keys));
      assertTrue(one(end).contains(message), () -> one(end));
      assertEquals(1, one(end).lines().count());
      Path broken = folder.resolve("broken");
      assertTrue(Files.isDirectory(broken.resolve("checkpoint-2")));
      assertFalse(Files.exists(broken.resolve("checkpoint-3")));
      Waits.collect(100, () -> ranks().isEmpty()); // they need a moment to end
      assertEquals(List.of(), ranks(), "their threads have ended");

      List<String> resumed = new ArrayList<>(List.of(keys));
      resumed.add("resume_from_checkpoint=true");
      RunAssertions.assertSameRun(
          whole, runs.train("broken", spread, resumed.toArray(String[]::new)));
    }
  }

  private static String one(Throwable end) {
    return String.valueOf(end.getMessage());
  }

  /** Returns the threads of sharded sessions. */
  private static List<String> ranks() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.equals("roll-ranks") || name.equals("roll-gather"))
        .toList();
  }

  /** The loss ppo, of which one call fails. */
  private static final class FailingLoss implements PolicyLoss {
    private final PolicyLoss ppo;
    private final Supplier<Throwable> failure;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile int fatal = -1;

    FailingLoss(Supplier<Throwable> failure) throws Exception {
      this.ppo = Objects.requireNonNull(SmallRuns.service(PolicyLoss.class, "(roll.loss=ppo)"));
      this.failure = failure;
    }

    /** Returns the number of calls with samples. */
    int calls() {
      return calls.get();
    }

    /** Makes the call after {@code more} others fail, once. */
    void breakAt(int more) {
      fatal = calls.get() + more;
    }

    @Override
    public LossInfo info() {
      return ppo.info();
    }

    @Override
    public LossResult evaluate(LossInput input, Options options) {
      if (input.layout().mask().length > 0 && calls.incrementAndGet() == fatal) {
        if (failure.get() instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) failure.get();
      }
      return ppo.evaluate(input, options);
    }
  }
}
