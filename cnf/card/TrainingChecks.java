import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Short trainings that compute in the ways there are. */
class TrainingChecks {
  private static final int SECONDS = 120;

  private static final List<String> BF16 =
      List.of("actor_train.model_args.dtype=bf16", "actor_infer.model_args.dtype=bf16");

  /** Checkpoints of every step, by deterministic operators. */
  private static final List<String> SAME =
      List.of("full_determinism=true", "save_steps=1", "resume_from_checkpoint=true");

  private TrainingChecks() {}

  static List<CardCheck> all(CardSetup setup) {
    List<CardCheck> checks = new ArrayList<>();
    checks.add(lake(setup, "train-fp32", "frozen_lake", List.of()));
    checks.add(lake(setup, "train-bf16", "frozen_lake", BF16));
    checks.add(lake(setup, "pictures", "frozen_lake_vl", BF16));
    checks.add(
        new CardCheck(
            "questions-on-pictures",
            SECONDS,
            false,
            programs ->
                TrainedRun.of(setup, "questions", "configs/vqa_small.yaml", 2, List.of())
                    .train(programs)));
    checks.add(check("resume", programs -> resume(setup, programs)));
    checks.add(check("full_determinism", programs -> twice(setup, programs)));
    checks.add(check("batch_invariant", programs -> invariant(setup, programs)));
    checks.add(check("experts", programs -> experts(setup, programs)));
    checks.add(
        lake(
            setup,
            "lora",
            "frozen_lake",
            with(
                BF16,
                "actor_train.model_args.lora_target=all-linear",
                "actor_train.model_args.lora_rank=8")));
    checks.add(
        lake(
            setup,
            "packed",
            "frozen_lake",
            with(
                BF16,
                "actor_train.use_sequence_packing=true",
                "actor_train.sequence_packing_args.max_packed_sequence_length_train=1024",
                "actor_train.sequence_packing_args.max_packed_sequence_length_forward=2048")));
    checks.add(
        lake(
            setup,
            "critic",
            "frozen_lake_ppo",
            with(
                BF16,
                "critic_warmup=0",
                "critic.device_mapping=[0]",
                "critic.model_args.dtype=bf16",
                "critic.training_args.per_device_train_batch_size=16")));
    return checks;
  }

  private static CardCheck check(String name, CardCheck.Work work) {
    return new CardCheck(name, 2 * SECONDS, false, work);
  }

  private static CardCheck lake(CardSetup setup, String name, String config, List<String> more) {
    return new CardCheck(
        name,
        SECONDS,
        false,
        programs -> TrainedRun.lake(setup, name, config, 2, more).train(programs));
  }

  private static List<String> with(List<String> some, String... more) {
    List<String> all = new ArrayList<>(some);
    all.addAll(List.of(more));
    return all;
  }

  private static String experts(CardSetup setup, Programs programs) throws Exception {
    List<String> more = with(BF16, "pretrain=" + CardModels.experts(setup));
    return TrainedRun.lake(setup, "experts", "frozen_lake", 2, more).train(programs);
  }

  private static String invariant(CardSetup setup, Programs programs) throws Exception {
    TrainedRun run =
        TrainedRun.lake(setup, "invariant", "frozen_lake", 2, with(BF16, "batch_invariant=true"));
    String figure = run.train(programs);
    if (run.difference() != 0) {
      throw new CardFailure(figure);
    }
    return figure;
  }

  /** Trains the same twice. */
  private static String twice(CardSetup setup, Programs programs) throws Exception {
    TrainedRun one = TrainedRun.lake(setup, "same-1", "frozen_lake", 2, with(BF16, same()));
    TrainedRun other = TrainedRun.lake(setup, "same-2", "frozen_lake", 2, with(BF16, same()));
    one.train(programs);
    other.train(programs);
    return equal(one, other, "two runs");
  }

  /** Trains four steps at once, and two and two. */
  private static String resume(CardSetup setup, Programs programs) throws Exception {
    TrainedRun whole = TrainedRun.lake(setup, "whole", "frozen_lake", 4, with(BF16, same()));
    TrainedRun parts = TrainedRun.lake(setup, "resumed", "frozen_lake", 4, with(BF16, same()));
    whole.train(programs);
    // the schedule is that of four steps in both
    Programs.Program first = parts.start(programs);
    programs.await(first, parts.folder().resolve("checkpoint-2/config.json"));
    first.process().destroy();
    int status = programs.end(first);
    parts.train(programs);
    return equal(whole, parts, "a run stopped with status %d, and one at once,".formatted(status));
  }

  private static String[] same() {
    return SAME.toArray(String[]::new);
  }

  private static String equal(TrainedRun one, TrainedRun other, String which) throws Exception {
    if (!one.sha().equals(other.sha())) {
      throw new CardFailure(
          String.format(
              Locale.ROOT,
              "%s end with other weights: SHA-256 %.16s, %.16s",
              which,
              one.sha(),
              other.sha()));
    }
    return String.format(
        Locale.ROOT, "%s end with the same weights, SHA-256 %.16s", which, one.sha());
  }
}
