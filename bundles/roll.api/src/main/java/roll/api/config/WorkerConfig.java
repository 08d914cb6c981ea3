package roll.api.config;

import java.util.List;
import java.util.Map;
import roll.api.option.RawOptions;

/**
 * Configuration of one role: its model, strategy, and devices.
 *
 * @param role key in the configuration: actor_train, actor_infer, reference …
 * @param model its model
 * @param template chat format ({@code data_args.template})
 * @param strategy id of the strategy
 * @param strategyOptions {@code strategy_config} as written; the strategy checks it
 * @param training optimizer settings; only a training role reads them
 * @param devices device numbers; empty means the CPU
 * @param inferBatchSize sequences scored or generated per batch
 * @param budgets micro-batch sizes in tokens
 * @param chatTemplateKwargs variables of the chat template beside the messages ({@code
 *     data_args.chat_template_kwargs})
 */
public record WorkerConfig(
    String role,
    ModelConfig model,
    String template,
    String strategy,
    RawOptions strategyOptions,
    TrainingConfig training,
    List<Integer> devices,
    int inferBatchSize,
    TokenBudgets budgets,
    Map<String, Object> chatTemplateKwargs) {
  /** Default variables of chat templates: thinking is off, as in ROLL. */
  public static final Map<String, Object> CHAT_TEMPLATE_KWARGS = Map.of("enable_thinking", false);

  /**
   * Creates the configuration of a role with {@link #CHAT_TEMPLATE_KWARGS} whose micro-batches are
   * counted in samples.
   */
  public WorkerConfig(
      String role,
      ModelConfig model,
      String template,
      String strategy,
      RawOptions strategyOptions,
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
        TokenBudgets.NONE,
        CHAT_TEMPLATE_KWARGS);
  }

  /** Returns this role with another model. */
  public WorkerConfig withModel(ModelConfig other) {
    return with(other, training, devices, budgets);
  }

  /** Returns this role with other settings of the optimizer. */
  public WorkerConfig withTraining(TrainingConfig other) {
    return with(model, other, devices, budgets);
  }

  /** Returns this role on other devices. */
  public WorkerConfig withDevices(List<Integer> others) {
    return with(model, training, others, budgets);
  }

  /** Returns this role with other micro-batch sizes in tokens. */
  public WorkerConfig withBudgets(TokenBudgets others) {
    return with(model, training, devices, others);
  }

  private WorkerConfig with(
      ModelConfig otherModel,
      TrainingConfig otherTraining,
      List<Integer> otherDevices,
      TokenBudgets otherBudgets) {
    return new WorkerConfig(
        role,
        otherModel,
        template,
        strategy,
        strategyOptions,
        otherTraining,
        otherDevices,
        inferBatchSize,
        otherBudgets,
        chatTemplateKwargs);
  }

  /** Number format of the linear layers. */
  public enum Dtype {
    /** Number format: 32-bit floating point. */
    FP32,
    /** Number format: bfloat16 with 32-bit master weights. */
    BF16
  }
}
