package roll.api.config;

import java.util.List;
import java.util.Map;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.option.UserException;

/**
 * One role: its model, its strategy, its devices.
 *
 * @param role key in the configuration: actor_train, actor_infer, reference …
 * @param model its model
 * @param template chat format ({@code data_args.template})
 * @param strategy id of the strategy
 * @param strategyOptions {@code strategy_config} as written; the strategy checks it
 * @param training optimizer settings; only a training role reads them
 * @param devices device numbers; empty means the CPU
 * @param inferBatchSize sequences scored or generated at once
 * @param budgets micro-batches counted in tokens
 */
public record WorkerConfig(
    String role,
    ModelConfig model,
    String template,
    String strategy,
    Map<String, Object> strategyOptions,
    TrainingConfig training,
    List<Integer> devices,
    int inferBatchSize,
    TokenBudgets budgets) {
  /** A role whose micro-batches are counted in samples. */
  public WorkerConfig(
      String role,
      ModelConfig model,
      String template,
      String strategy,
      Map<String, Object> strategyOptions,
      TrainingConfig training,
      List<Integer> devices,
      int inferBatchSize) {
    this(
        role,
        model,
        template,
        strategy,
        strategyOptions,
        training,
        devices,
        inferBatchSize,
        TokenBudgets.NONE);
  }

  /**
   * The options of the strategy, checked.
   *
   * @param known what it may contain
   * @throws UserException naming the first unknown key or wrong type
   */
  public Options options(List<OptionInfo> known) {
    return Options.of(role + ".strategy_args.strategy_config", strategyOptions, known);
  }

  /** Number format of the linear layers. */
  public enum Dtype {
    /** 32-bit floating point. */
    FP32,
    /** bfloat16 with 32-bit master weights. */
    BF16
  }
}
