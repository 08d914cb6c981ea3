package roll.runtime.option;

import roll.api.loss.LossSettings;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;

/** The options that a configuration gives a policy loss. */
public final class LossOptions {
  private LossOptions() {}

  /**
   * The options that {@code settings} give to {@code loss}.
   *
   * @throws roll.api.option.UserException if it does not declare an option or a value is not
   *     allowed
   */
  public static Options of(PolicyLoss loss, LossSettings settings) {
    return YamlOptions.checked(
        "actor_train.pg_variant_args", settings.args(), loss.info().options());
  }
}
