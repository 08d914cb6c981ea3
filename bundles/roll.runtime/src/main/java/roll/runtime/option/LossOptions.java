package roll.runtime.option;

import roll.api.loss.LossSettings;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;

/** Reads the options of the policy loss from a configuration. */
public final class LossOptions {
  private LossOptions() {}

  /**
   * Returns the options of {@code settings} for {@code loss}.
   *
   * @throws roll.api.option.UserException if it does not declare an option or a value is not
   *     allowed
   */
  public static Options of(PolicyLoss loss, LossSettings settings) {
    return YamlOptions.checked(
        "actor_train.pg_variant_args", settings.args(), loss.info().options());
  }
}
