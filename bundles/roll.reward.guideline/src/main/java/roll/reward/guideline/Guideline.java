package roll.reward.guideline;

import static roll.api.option.OptionInfo.Type.BOOLEAN;
import static roll.api.option.OptionInfo.Type.TEXT;

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
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.plugin.Use;
import roll.api.reward.AnswerGrader;
import roll.api.reward.AnswerKey;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** A planner's final response is a guideline, worth what a frozen solver makes of it. */
@Component(name = "roll.reward.guideline")
@RollReward("guideline")
@Requirement(namespace = "roll.grader", filter = "(roll.grader=math_verify)", effective = "active")
public final class Guideline implements RewardFunction {
  private static final String SOLVER = "solver";
  private static final String GRADER = "grader";
  private static final String USE_MATH_VERIFY = "use_math_verify";
  private static final String BASELINES = "baselines_path";
  private static final String LOG_DIR = "log_dir";
  private static final String ENV = "VERL_GUIDELINES_";

  private final Plugins plugins;
  private final Map<String, String> environment;

  /** With the graders among {@code plugins}. */
  @Activate
  public Guideline(@Reference Plugins plugins) {
    this(plugins, System.getenv());
  }

  Guideline(Plugins plugins, Map<String, String> environment) {
    this.plugins = plugins;
    this.environment = environment;
  }

  @Override
  public String description() {
    return "1 if the solver answers right with the guideline, else 0; or how much that helped";
  }

  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo(SOLVER, TEXT, "solver", "key of reward_models, the model that solves"),
        new OptionInfo(GRADER, TEXT, "math_verify", "service roll.grader that compares answers"),
        new OptionInfo(
            USE_MATH_VERIFY, BOOLEAN, null, "false: answers are compared as texts, by string"),
        new OptionInfo(
            "counterfactual", BOOLEAN, false, "less what the solver earns without a guideline"),
        new OptionInfo(BASELINES, TEXT, null, "file with what it earns without, by question"),
        new OptionInfo(LOG_DIR, TEXT, null, "folder of solver.jsonl, a line for each solution"),
        new OptionInfo("system_prompt", TEXT, SolverPrompts.SYSTEM, "the solver's system message"),
        new OptionInfo(
            "prompt", TEXT, SolverPrompts.USER, "its question, with {question}, {guideline}"),
        new OptionInfo(
            "baseline_system_prompt", TEXT, SolverPrompts.BASELINE_SYSTEM, "without a guideline"),
        new OptionInfo("baseline_prompt", TEXT, SolverPrompts.BASELINE_USER, "without a guideline"),
        AnswerKey.OPTION);
  }

  @Override
  public Reward configure(Options options) {
    AnswerKey key = AnswerKey.of(options);
    SolverPrompts with = new SolverPrompts(options.text("system_prompt"), options.text("prompt"));
    SolverPrompts without =
        new SolverPrompts(options.text("baseline_system_prompt"), options.text("baseline_prompt"));
    String log = text(options, LOG_DIR);
    if (log != null && Files.exists(Path.of(log)) && !Files.isDirectory(Path.of(log))) {
      throw options.wrong(LOG_DIR, "a folder");
    }
    String path = text(options, BASELINES);
    boolean counterfactual = options.flag("counterfactual");
    SolverBaselines baselines =
        counterfactual && path != null
            ? SolverBaselines.read(Path.of(path))
            : new SolverBaselines(Map.of());
    Lease<AnswerGrader> grader = grader(options).lease(plugins);
    FrozenSolver solver = new FrozenSolver(options.text(SOLVER), key, grader);
    return new Solved(
        solver,
        with,
        counterfactual ? without : null,
        baselines,
        log == null ? null : new SolverLog(Path.of(log)));
  }

  @Override
  public List<Use<?>> uses(Options options) {
    return List.of(grader(options));
  }

  @Override
  public List<String> models(Options options) {
    return List.of(SOLVER);
  }

  @Override
  public AnswerKey answerKey(Options options) {
    return AnswerKey.of(options);
  }

  private Use<AnswerGrader> grader(Options options) {
    String name = mathVerify(options) ? options.text(GRADER) : "string";
    return new Use<>(options.where() + "." + GRADER, AnswerGrader.class, "roll.grader", name);
  }

  /** The option, else the variable of the same name, else null. */
  private @Nullable String text(Options options, String name) {
    String variable = environment.getOrDefault(variable(name), "");
    return options.has(name) ? options.text(name) : variable.isBlank() ? null : variable;
  }

  private boolean mathVerify(Options options) {
    if (options.has(USE_MATH_VERIFY)) {
      return options.flag(USE_MATH_VERIFY);
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

  private static String variable(String option) {
    return ENV + option.toUpperCase(Locale.ROOT);
  }
}
