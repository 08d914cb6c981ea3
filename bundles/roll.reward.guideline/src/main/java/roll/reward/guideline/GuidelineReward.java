package roll.reward.guideline;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.PluginReference;
import roll.api.plugin.Plugins;
import roll.api.reward.AnswerGrader;
import roll.api.reward.AnswerKey;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Grades a planner's guideline by whether a frozen solver answers correctly with it. */
@Component(name = "roll.reward.guideline")
@RollReward("guideline")
@Requirement(namespace = "roll.grader", filter = "(roll.grader=math_verify)", effective = "active")
public final class GuidelineReward implements RewardFunction {
  private static final Option<String> SOLVER =
      Option.text("solver", "key of `reward_models`: the solver").withDefault("solver");
  private static final Option<String> GRADER =
      Option.text("grader", "the service `roll.grader` that compares answers")
          .withDefault("math_verify");
  private static final Option<Boolean> USE_MATH_VERIFY =
      Option.flag("use_math_verify", "false: the grader `string` of `roll.reward.math`");
  private static final Option<Boolean> COUNTERFACTUAL =
      Option.flag("counterfactual", "subtracts the solver's score without a guideline")
          .withDefault(false);
  private static final Option<Boolean> REPORT_BASELINE =
      Option.flag(
              "report_baseline",
              "reports the solver's score without a guideline without subtracting it")
          .withDefault(false);
  private static final Option<String> BASELINES =
      Option.text(
          "baselines_path",
          "known scores without a guideline: `{\"question\": accuracy, …}`, or rows with"
              + " `question` and `accuracy` as JSON or JSONL");
  private static final Option<String> LOG_DIR = Option.text("log_dir", "folder of `solver.jsonl`");
  private static final Option<String> SYSTEM_PROMPT =
      Option.text("system_prompt", "the solver's system message").withDefault(SolverPrompts.SYSTEM);
  private static final Option<String> PROMPT =
      Option.text("prompt", "the solver's user message, with {question}, {guideline}")
          .withDefault(SolverPrompts.USER);
  private static final Option<String> BASELINE_SYSTEM_PROMPT =
      Option.text("baseline_system_prompt", "without a guideline")
          .withDefault(SolverPrompts.BASELINE_SYSTEM);
  private static final Option<String> BASELINE_PROMPT =
      Option.text("baseline_prompt", "without a guideline")
          .withDefault(SolverPrompts.BASELINE_USER);

  private static final String ENV = "VERL_GUIDELINES_";

  private final Plugins plugins;
  private final Map<String, String> environment;

  /** Creates the reward with the graders in {@code plugins}. */
  @Activate
  public GuidelineReward(@Reference Plugins plugins) {
    this(plugins, System.getenv());
  }

  GuidelineReward(Plugins plugins, Map<String, String> environment) {
    this.plugins = plugins;
    this.environment = environment;
  }

  @Override
  public String description() {
    return "1 if the solver answers correctly with the guideline, otherwise 0; or the improvement";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(
        SOLVER,
        GRADER,
        USE_MATH_VERIFY,
        COUNTERFACTUAL,
        REPORT_BASELINE,
        BASELINES,
        LOG_DIR,
        SYSTEM_PROMPT,
        PROMPT,
        BASELINE_SYSTEM_PROMPT,
        BASELINE_PROMPT,
        AnswerKey.OPTION);
  }

  @Override
  public Reward configure(Options options) {
    AnswerKey key = AnswerKey.of(options);
    SolverPrompts with = new SolverPrompts(options.get(SYSTEM_PROMPT), options.get(PROMPT));
    SolverPrompts without =
        new SolverPrompts(options.get(BASELINE_SYSTEM_PROMPT), options.get(BASELINE_PROMPT));
    String log = text(options, LOG_DIR);
    if (log != null && Files.exists(Path.of(log)) && !Files.isDirectory(Path.of(log))) {
      throw options.wrong(LOG_DIR, "a folder");
    }
    String path = text(options, BASELINES);
    boolean counterfactual = options.get(COUNTERFACTUAL);
    boolean compared = counterfactual || options.get(REPORT_BASELINE);
    SolverBaselines baselines =
        compared && path != null
            ? SolverBaselines.read(Path.of(path))
            : new SolverBaselines(Map.of());
    Lease<AnswerGrader> grader = grader(options).lease(plugins);
    FrozenSolver solver = new FrozenSolver(options.get(SOLVER), key, grader);
    return new GuidelineScorer(
        solver,
        with,
        compared ? without : null,
        counterfactual,
        baselines,
        log == null ? null : new SolverLog(Path.of(log)));
  }

  @Override
  public List<PluginReference<?>> uses(Options options) {
    return List.of(grader(options));
  }

  @Override
  public List<Option<String>> models(Options options) {
    return List.of(SOLVER);
  }

  @Override
  public AnswerKey answerKey(Options options) {
    return AnswerKey.of(options);
  }

  private PluginReference<AnswerGrader> grader(Options options) {
    String name = mathVerify(options) ? options.get(GRADER) : "string";
    return new PluginReference<>(
        options.where() + "." + GRADER.name(), AnswerGrader.class, "roll.grader", name);
  }

  /** Returns the option, otherwise the environment variable of that name, otherwise null. */
  private @Nullable String text(Options options, Option<String> option) {
    String variable = environment.getOrDefault(variable(option), "");
    return options.find(option).orElse(variable.isBlank() ? null : variable);
  }

  private boolean mathVerify(Options options) {
    if (options.has(USE_MATH_VERIFY)) {
      return options.get(USE_MATH_VERIFY);
    }
    String variable = variable(USE_MATH_VERIFY);
    String value = environment.getOrDefault(variable, "1");
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "1", "true" -> true;
      case "0", "false" -> false;
      default ->
          throw new UserException(
              "the environment variable " + variable + ": expected 0 or 1, found '" + value + "'");
    };
  }

  private static String variable(Option<?> option) {
    return ENV + option.name().toUpperCase(Locale.ROOT);
  }
}
