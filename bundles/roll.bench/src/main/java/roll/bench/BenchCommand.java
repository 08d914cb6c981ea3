package roll.bench;

import static org.osgi.service.component.annotations.ReferenceCardinality.MULTIPLE;
import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.env.Environment;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.model.DecoderSpec;
import roll.api.model.TokenizerLoader;
import roll.api.model.family.ModelFamily;
import roll.api.option.UserException;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.TrainStrategy;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.plugin.ServiceNames;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.torch.ComputeFingerprint;
import roll.torch.Device;
import roll.torch.model.Models;

/** {@code bench}: measures the performance of this machine. */
@Component(name = "roll.bench", service = Command.class)
@RollCommand(function = "bench")
public final class BenchCommand extends Command {
  /** Help on the parts of the bench command. */
  private static final String PARTS =
      """


        gemm         rates of matrix products, f32 and bf16
        train        training steps and their share of the GEMM rate
        sharing      training and scoring with sequence_sharing and without: a group of answers,
                     turns that repeat their history, nothing in common
        spread       training steps on 2 ranks (ZeRO, tensor and pipeline parallelism) against one
                     device with the same cores, and memory per rank
        infer        tokens/s of the strategies hf_infer and vllm: 1, 8, 32 and 128 sequences,
                     prompts, conversations of 6 turns, and their share of the limits of memory
                     and GEMM; the large model, 387 M random weights, needs 1.6 GB of temporary
                     files (2 GB with --large)
        speculation  tokens/s of vllm with speculative_config and without: responses that quote
                     their prompt, and others; 540 MB of temporary files
        solver       120 questions to a frozen model, one by one and as one batch
        algorithms   rewards, KL, advantages and policy loss with gradient, on one thread, for
                     every estimator and loss
        load         time and memory to save and load a random Qwen2 with 494 M weights; needs
                     3 GB of temporary files
        card         what a card reaches, beside figures of others, in bench-card.md and
                     bench-card.json: bench card decode eager invariant single prefill train
                     score weights; --large: 7 B weights, with LoRA, without score and weights; a
                     processor is measured with a model of 1 M weights
        env          steps/s of all or the given environments with a random agent; with options:
                     bench env sokoban dim_room=[6,6] num_boxes=1
        rollout      trajectories/s of rollouts in which 5 % of the episodes throw or hang,
                     against healthy ones: bench rollout hung_timeout=60 wave=1 share=0.01
      Default: gemm, train, infer and algorithms. The large model of training is a random Qwen2
      with 110 M weights.\
      """;

  static final Syntax SYNTAX =
      new Syntax(
          "bench",
          "Measures how fast this machine trains and samples.",
          List.of(
              Word.any(
                  String.join("|", BenchArguments.WORDS),
                  "what to measure; card, env and rollout take further arguments and cannot be"
                      + " combined")),
          List.of(
              Option.flag("--quick", "fewer and smaller measurements"),
              Option.flag("--large", "use 494 M weights for the large model; training needs 12 GB"),
              Option.one(
                  "--model", "folder", "configs/models/frozen-lake-tiny", "the small model")),
          PARTS);

  private final Models models;
  private final ModelFamily family;
  private final @Nullable Rollouts rollouts;
  private final @Nullable TokenizerLoader tokenizers;
  private final BundleContext context;
  private final Map<String, InferStrategy> strategies;
  private final Map<String, TrainStrategy> trainers;
  private final Map<String, AdvantageEstimator> estimators;
  private final Map<String, PolicyLoss> losses;
  private final Map<String, Environment> environments;

  /**
   * Creates the command with its services. Decoding needs the strategy {@code hf_infer}, rollouts
   * need {@code rollouts} and {@code tokenizers}.
   */
  @Activate
  public BenchCommand(
      BundleContext context,
      @Reference Models models,
      @Reference(target = "(roll.model=qwen2)") ModelFamily family,
      @Reference(service = InferStrategy.class, cardinality = MULTIPLE, policyOption = GREEDY)
          List<Map.Entry<Map<String, Object>, InferStrategy>> strategies,
      @Reference(service = TrainStrategy.class, cardinality = MULTIPLE, policyOption = GREEDY)
          List<Map.Entry<Map<String, Object>, TrainStrategy>> trainers,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Rollouts rollouts,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable TokenizerLoader tokenizers,
      @Reference(service = AdvantageEstimator.class, cardinality = MULTIPLE, policyOption = GREEDY)
          List<Map.Entry<Map<String, Object>, AdvantageEstimator>> estimators,
      @Reference(service = PolicyLoss.class, cardinality = MULTIPLE, policyOption = GREEDY)
          List<Map.Entry<Map<String, Object>, PolicyLoss>> losses,
      @Reference(service = Environment.class, cardinality = MULTIPLE, policyOption = GREEDY)
          List<Map.Entry<Map<String, Object>, Environment>> environments) {
    super(SYNTAX);
    this.models = models;
    this.family = family;
    this.context = context;
    this.rollouts = rollouts;
    this.tokenizers = tokenizers;
    this.strategies = named(strategies, "roll.strategy");
    this.trainers = named(trainers, "roll.strategy");
    this.estimators = named(estimators, "roll.estimator");
    this.losses = named(losses, "roll.loss");
    this.environments = named(environments, "roll.env");
  }

  private static <T> Map<String, T> named(
      List<Map.Entry<Map<String, Object>, T>> services, String property) {
    Map<String, T> named = new TreeMap<>();
    services.forEach(
        e -> named.put(ServiceNames.all(e.getKey().get(property)).getFirst(), e.getValue()));
    return named;
  }

  /** Runs benchmarks and prints their tables while they are measured. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) throws IOException {
    BenchArguments call = BenchArguments.of(given);
    if (call.parts().contains("env")) {
      new EnvBench(session.getConsole(), call.quick() ? 0.2 : 3).run(environments, call.further());
      return null;
    }
    Path current = session.currentDir();
    Path model = current == null ? call.model() : current.resolve(call.model());
    if (call.parts().contains("rollout")) {
      rollout(session.getConsole(), call, model);
      return null;
    }
    if (call.parts().contains("card")) {
      card(session.getConsole(), call, model, current == null ? Path.of("") : current);
      return null;
    }
    measure(session.getConsole(), call, model);
    return null;
  }

  private void card(PrintStream out, BenchArguments call, Path model, Path folder)
      throws IOException {
    InferStrategy engine = strategies.get("vllm");
    TrainStrategy trainer = trainers.get("local_train");
    if (engine == null || trainer == null) {
      throw new UserException(
          "bench card: needs the bundles roll.strategy.vllm and roll.strategy.local_train");
    }
    boolean accelerated = models.devices().accelerated(List.of(0));
    List<Integer> numbers = accelerated ? List.of(0) : List.of();
    Device device = models.devices().of(numbers, 0);
    CardWorkload load = CardWorkload.of(accelerated, call.quick(), call.large());
    try (RandomModel random = RandomModel.create(load.config(), model)) {
      DecoderSpec spec = family.describe("bench", load.config());
      BenchModel subject =
          new BenchModel(load.name(), random.folder(), spec, load.samples(), load.length(), 1, 1);
      String machine =
          "%s, %s".formatted(subject, device.call(() -> ComputeFingerprint.of(device, List.of())));
      new CardBench(
              new CardReport(out, machine, folder.resolve("output")),
              device,
              subject,
              load,
              new BenchStrategy("vllm", engine).on(numbers),
              trainer)
          .run(call.further());
    }
  }

  private void rollout(PrintStream out, BenchArguments call, Path model) {
    InferStrategy strategy = strategies.get(InferSubcommand.STANDARD);
    if (rollouts == null || tokenizers == null || strategy == null) {
      throw new UserException(
          "bench rollout: needs the bundles roll.rollout, roll.torch and roll.strategy.hf_infer");
    }
    new RolloutSubcommand(context, models, rollouts, tokenizers, strategy).run(out, call, model);
  }

  private void measure(PrintStream out, BenchArguments call, Path model) throws IOException {
    boolean quick = call.quick();
    var config = call.large() ? BenchModel.halfBillion() : BenchModel.hundredMillion();
    DecoderSpec small = models.folder(model).spec();
    DecoderSpec large = family.describe("bench", config);
    Device device = models.devices().whole();
    try (RandomModel random = RandomModel.create(config, model)) {
      String name = call.large() ? "0.5B" : "100M";
      int length = Math.min(128, small.maxPositions());
      int lanes = Math.min(Runtime.getRuntime().availableProcessors(), 4);
      int parts = quick || call.large() ? 1 : 4;
      BenchModel great = new BenchModel(name, random.folder(), large, 4, 256, parts, 1);
      Bench bench =
          new Bench(
              out,
              device,
              List.of(
                  new BenchModel(
                      InferSubcommand.TINY, model, small, 16, length, quick ? lanes : 8, lanes),
                  great),
              quick);
      Bench.machine(out);
      if (call.parts().contains("gemm") || call.parts().contains("train")) {
        bench.models();
      }
      InferSubcommand infer = new InferSubcommand(out, models, strategies);
      Map<String, Runnable> all =
          Map.of(
              "gemm",
              bench::gemm,
              "train",
              bench::train,
              "sharing",
              () -> sharing(out, model, quick),
              "spread",
              () ->
                  new ShardingBench(out, trainers)
                      .run(new BenchModel(name, random.folder(), large, 4, 256, 2, 1), quick),
              "infer",
              () -> infer.decode(device, call, model),
              "speculation",
              () -> infer.speculate(device, call, model),
              "solver",
              () -> infer.solve(model, small, quick),
              "algorithms",
              () -> bench.algorithms(estimators, losses),
              "load",
              () -> load(out, device, model, quick));
      call.parts().forEach(part -> Objects.requireNonNull(all.get(part)).run());
    }
  }

  private void sharing(PrintStream out, Path model, boolean quick) {
    Map<String, @Nullable Object> config = BenchModel.hundredMillion();
    config.put("max_position_embeddings", 4096);
    TrainStrategy strategy = trainers.get("local_train");
    if (strategy == null) {
      throw new UserException("bench sharing: no strategy 'local_train' is registered");
    }
    try (RandomModel random = RandomModel.create(config, model)) {
      DecoderSpec spec = family.describe("bench", config);
      BenchModel subject = new BenchModel("100M", random.folder(), spec, 1, 1, 1, 1);
      new SharingBench(out, strategy, subject, quick).run();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void load(PrintStream out, Device device, Path model, boolean quick) {
    var config = quick ? BenchModel.hundredMillion() : BenchModel.halfBillion();
    try (RandomModel random = RandomModel.create(config, model)) {
      new ModelLoadBench(out, models, device).run(models.folder(random.folder()));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
