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
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.api.config.Suggestion;
import roll.api.config.UserException;
import roll.api.env.Environment;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.model.DecoderSpec;
import roll.api.model.ModelFamily;
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
  private static final List<String> PARTS = List.of("gemm", "train", "infer", "algorithms");
  private static final List<String> WORDS =
      List.of(
          "gemm",
          "train",
          "infer",
          "algorithms",
          "load",
          "env",
          "--quick",
          "--large",
          "--model",
          "--help");

  private static final String HELP =
      """
      usage: bench [gemm|train|infer|algorithms|load …] [--quick] [--large] [--model DIR]
             bench env [id …] [option=value …] [--quick]

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
        --quick      fewer and smaller measurements
        --large      a random Qwen2 of 494 M weights for that of 110 M; training needs 12 GB
        --model DIR  the small model (configs/models/frozen-lake-tiny)

      Without a word the first four. Beside the small model a random Qwen2 of 110 M weights is measured.\
      """
          .formatted(SUMMARY);

  private final Models models;
  private final ModelFamily family;
  private final @Nullable InferStrategy strategy;
  private final Map<String, AdvantageEstimator> estimators = new TreeMap<>();
  private final Map<String, PolicyLoss> losses = new TreeMap<>();
  private final Map<String, Environment> environments = new TreeMap<>();

  /** A command on these services; without {@code strategy} decoding cannot be measured. */
  @Activate
  public BenchCommand(
      @Reference Models models,
      @Reference(target = "(roll.model=qwen2)") ModelFamily family,
      @Reference(
              target = "(roll.strategy=hf_infer)",
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable InferStrategy strategy,
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
      @Descriptor("[gemm|train|infer|algorithms|load|env …]") String... arguments)
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
    run(session.getConsole(), call, model);
    return null;
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

  /**
   * What a line asks for.
   *
   * @param parts which measurements, in order
   * @param worlds what stands after {@code env}
   * @param model folder of the small model
   * @param quick fewer and smaller measurements
   * @param large 494 M weights for 110 M
   * @param help only help
   */
  record Call(
      List<String> parts,
      List<String> worlds,
      Path model,
      boolean quick,
      boolean large,
      boolean help) {
    /**
     * Reads a line.
     *
     * @throws UserException at the first word that is not known
     */
    static Call of(String... arguments) {
      List<String> parts = new ArrayList<>();
      List<String> worlds = new ArrayList<>();
      Path model = Path.of("configs/models/frozen-lake-tiny");
      boolean quick = false;
      boolean large = false;
      boolean help = false;
      for (int i = 0; i < arguments.length; i++) {
        switch (arguments[i]) {
          case "gemm", "train", "infer", "algorithms", "load" -> parts.add(arguments[i]);
          case "env" -> {
            parts.add("env");
            while (i + 1 < arguments.length && !arguments[i + 1].startsWith("-")) {
              worlds.add(arguments[++i]);
            }
          }
          case "--quick" -> quick = true;
          case "--large" -> large = true;
          case "--help", "-h" -> help = true;
          case "--model" -> {
            if (++i == arguments.length) {
              throw new UserException("bench: --model: expected a folder, found nothing");
            }
            model = Path.of(arguments[i]);
          }
          default ->
              throw new UserException(
                  "bench: unexpected '%s' (allowed: %s)%s"
                      .formatted(
                          arguments[i],
                          String.join(", ", WORDS),
                          Suggestion.near(arguments[i], WORDS)));
        }
      }
      if (parts.contains("env") && parts.size() > 1) {
        throw new UserException("bench: env is measured alone, without " + parts.getFirst());
      }
      return new Call(
          parts.isEmpty() ? PARTS : List.copyOf(parts),
          List.copyOf(worlds),
          model,
          quick,
          large,
          help);
    }
  }
}
