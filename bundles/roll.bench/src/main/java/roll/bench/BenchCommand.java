package roll.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.api.config.UserException;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.env.Environment;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.model.DecoderSpec;
import roll.api.model.ModelFamily;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.pipeline.Rollouts;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.torch.Device;
import roll.torch.Models;

/** {@code bench}: measures this machine; nothing in it is a test. */
@Component(
    name = "roll.bench",
    service = BenchCommand.class,
    property = {
      "osgi.command.scope=roll",
      "osgi.command.function=bench",
      "osgi.command.description=" + BenchCommand.SUMMARY
    })
public final class BenchCommand {
  static final String SUMMARY = "Measures how fast this machine trains and samples.";

  private static final String HELP =
      """
      usage: bench [gemm|train|infer|algorithms|load …] [--quick] [--large] [--model DIR]
             bench env [id …] [option=value …] [--quick]
             bench rollout [key=value …] [--quick] [--model DIR]

      %s

        gemm         rates of matrix products, f32 and bf16
        train        whole training steps and their share of the GEMM rate
        infer        tokens a second with 1, 8 and 32 sequences
        algorithms   rewards, KL, advantages and policy loss with gradient, on one thread:
                     every estimator with every loss
        load         time and memory to save and load a random Qwen2 of 494 M weights; needs 3 GB
                     in the folder for temporary files
        env          steps a second of the environments, or of those named, with a random agent;
                     with options: bench env sokoban dim_room=[6,6] num_boxes=1
        rollout      trajectories a second of rollouts in which 5 %% of the episodes throw or hang,
                     beside healthy ones: bench rollout hung_timeout=60 wave=1 share=0.01
        --quick      fewer and smaller measurements
        --large      a random Qwen2 of 494 M weights for that of 110 M; training needs 12 GB
        --model DIR  the small model (configs/models/frozen-lake-tiny)

      Without a word the first four. Beside the small model a random Qwen2 of 110 M weights is measured.\
      """
          .formatted(SUMMARY);

  private final Models models;
  private final ModelFamily family;
  private final @Nullable InferStrategy strategy;
  private final @Nullable Rollouts rollouts;
  private final @Nullable TokenizerLoader tokenizers;
  private final BundleContext context;
  private final Map<String, AdvantageEstimator> estimators = new TreeMap<>();
  private final Map<String, PolicyLoss> losses = new TreeMap<>();
  private final Map<String, Environment> environments = new TreeMap<>();

  /**
   * A command on these services; without {@code strategy} decoding cannot be measured, without
   * {@code rollouts} and {@code tokenizers} rollouts cannot.
   */
  @Activate
  public BenchCommand(
      BundleContext context,
      @Reference Models models,
      @Reference(target = "(roll.model=qwen2)") ModelFamily family,
      @Reference(
              target = "(roll.strategy=hf_infer)",
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable InferStrategy strategy,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable Rollouts rollouts,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable TokenizerLoader tokenizers,
      @Reference(
              service = AdvantageEstimator.class,
              cardinality = ReferenceCardinality.MULTIPLE,
              policyOption = ReferencePolicyOption.GREEDY)
          List<Map.Entry<Map<String, Object>, AdvantageEstimator>> estimators,
      @Reference(
              service = PolicyLoss.class,
              cardinality = ReferenceCardinality.MULTIPLE,
              policyOption = ReferencePolicyOption.GREEDY)
          List<Map.Entry<Map<String, Object>, PolicyLoss>> losses,
      @Reference(
              service = Environment.class,
              cardinality = ReferenceCardinality.MULTIPLE,
              policyOption = ReferencePolicyOption.GREEDY)
          List<Map.Entry<Map<String, Object>, Environment>> environments) {
    this.models = models;
    this.family = family;
    this.strategy = strategy;
    this.context = context;
    this.rollouts = rollouts;
    this.tokenizers = tokenizers;
    estimators.forEach(e -> this.estimators.put(id(e.getKey(), "roll.estimator"), e.getValue()));
    losses.forEach(e -> this.losses.put(id(e.getKey(), "roll.loss"), e.getValue()));
    environments.forEach(e -> this.environments.put(id(e.getKey(), "roll.env"), e.getValue()));
  }

  private static String id(Map<String, Object> properties, String namespace) {
    Object name = properties.get(namespace);
    return name instanceof String[] several ? several[0] : String.valueOf(name);
  }

  /** Prints tables as they fill; the result is null, or the help that was asked for. */
  @Descriptor(SUMMARY)
  public @Nullable String bench(
      CommandSession session,
      @Descriptor("[gemm|train|infer|algorithms|load|env|rollout …]") String... arguments)
      throws IOException {
    Call call = Call.of(arguments);
    if (call.help()) {
      return HELP;
    }
    if (call.parts().contains("env")) {
      new Stepping(session.getConsole(), call.quick() ? 0.2 : 3).run(environments, call.worlds());
      return null;
    }
    Path current = session.currentDir();
    Path model = current == null ? call.model() : current.resolve(call.model());
    if (call.parts().contains("rollout")) {
      rollout(session.getConsole(), call, model);
      return null;
    }
    run(session.getConsole(), call, model);
    return null;
  }

  /**
   * A world that comes and goes as a service makes a new instance of this command, which lets go of
   * what this one uses: so it is held here.
   */
  private void rollout(PrintStream out, Call call, Path model) {
    List<ServiceReference<?>> held = new ArrayList<>();
    for (Class<?> type :
        List.of(Rollouts.class, TokenizerLoader.class, InferStrategy.class, Models.class)) {
      ServiceReference<?> reference = context.getServiceReference(type);
      if (reference != null && context.getService(reference) != null) {
        held.add(reference);
      }
    }
    try {
      if (rollouts == null || tokenizers == null || strategy == null) {
        throw new UserException(
            "bench rollout: needs the bundles roll.rollout, roll.torch and roll.strategy.hf_infer");
      }
      roll(new Services(rollouts, tokenizers, strategy), out, call, model);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      held.forEach(context::ungetService);
    }
  }

  /** What rollouts need. */
  private record Services(Rollouts rollouts, TokenizerLoader tokenizers, InferStrategy strategy) {}

  private void roll(Services with, PrintStream out, Call call, Path model)
      throws InterruptedException {
    DecoderSpec spec = models.folder(model).spec();
    try (Tokenizer tokenizer = with.tokenizers().load(model)) {
      Rolling rolling =
          new Rolling(out, context, with.rollouts(), tokenizer, call.quick(), call.worlds());
      rolling.fixed();
      Subject subject = new Subject("tiny", model, spec, 1, 1, 1, 1);
      Decoding decoding = new Decoding(with.strategy(), subject, 320);
      try (InferSession policy = decoding.open(Dtype.FP32, 256)) {
        rolling.real(String.valueOf(model.getFileName()), policy);
      }
    }
  }

  private void run(PrintStream out, Call call, Path model) throws IOException {
    boolean quick = call.quick();
    var config = call.large() ? Subject.halfBillion() : Subject.hundredMillion();
    DecoderSpec small = models.folder(model).spec();
    DecoderSpec large = family.describe("bench", config);
    Device device = models.devices().of(List.of());
    Path folder = Files.createTempDirectory("roll-bench");
    try {
      Decoding.folder(folder, config, model);
      String name = call.large() ? "0.5B" : "100M";
      int length = Math.min(128, small.maxPositions());
      int lanes = Math.min(Runtime.getRuntime().availableProcessors(), 4);
      Bench bench =
          new Bench(
              out,
              device,
              List.of(
                  new Subject("tiny", model, small, 16, length, quick ? lanes : 8, lanes),
                  new Subject(name, folder, large, 4, 256, quick || call.large() ? 1 : 4, 1)),
              quick);
      bench.machine();
      Map<String, Runnable> all =
          Map.of(
              "gemm",
              bench::gemm,
              "train",
              bench::train,
              "infer",
              () -> bench.infer(strategy),
              "algorithms",
              () -> bench.algorithms(estimators, losses),
              "load",
              () -> load(out, device, model, quick));
      call.parts().forEach(part -> Objects.requireNonNull(all.get(part)).run());
    } finally {
      Decoding.delete(folder);
    }
  }

  private void load(PrintStream out, Device device, Path model, boolean quick) {
    try {
      Path folder = Files.createTempDirectory("roll-bench");
      try {
        Decoding.folder(folder, quick ? Subject.hundredMillion() : Subject.halfBillion(), model);
        new Loading(out, models, device).run(models.folder(folder));
      } finally {
        Decoding.delete(folder);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
