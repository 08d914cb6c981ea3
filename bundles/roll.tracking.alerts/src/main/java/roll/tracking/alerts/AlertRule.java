package roll.tracking.alerts;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.api.option.UserException;
import roll.remote.WebAddress;

/**
 * A rule of the configuration.
 *
 * @param steps number of steps that the condition must hold
 * @param receivers of its alerts; at least one
 */
record AlertRule(String name, AlertCondition condition, int steps, List<AlertReceiver> receivers) {
  private static final Option<String> WHEN =
      Option.text("when", "`<metric> < 0.5` (also `<=`, `>`, `>=`), or an end of the run");
  private static final Option<Integer> FOR =
      Option.integer("for", 1, Integer.MAX_VALUE, "steps that a comparison must hold")
          .withDefault(1);
  private static final Option<List<String>> RUN =
      Option.list("run", "program and arguments, without a shell");
  private static final Option<String> WEBHOOK =
      Option.text("webhook", "address to post to; a secret");

  /**
   * Reads a rule.
   *
   * @throws UserException if it is invalid
   */
  static AlertRule of(String name, RawOptions given) {
    Options options = given.checked(List.of(WHEN, FOR, RUN, WEBHOOK));
    AlertCondition condition =
        AlertCondition.of(options.get(WHEN))
            .orElseThrow(
                () ->
                    options.wrong(
                        WHEN,
                        "a metric, <, <=, > or >=, and a number; or finished, interrupted or"
                            + " failed"));
    if (condition instanceof AlertCondition.Ended && options.get(FOR) > 1) {
      throw options.wrong(FOR, "no steps with the end of a run");
    }
    List<AlertReceiver> receivers = new ArrayList<>();
    options.find(RUN).map(arguments -> command(options, arguments)).ifPresent(receivers::add);
    options.find(WEBHOOK).map(address -> webhook(options, address)).ifPresent(receivers::add);
    if (receivers.isEmpty()) {
      throw new UserException(options.where() + ": expected run, webhook or both");
    }
    return new AlertRule(name, condition, options.get(FOR), List.copyOf(receivers));
  }

  private static AlertReceiver command(Options options, List<String> arguments) {
    if (arguments.isEmpty() || arguments.getFirst().isBlank()) {
      throw options.wrong(RUN, "a list that begins with a program");
    }
    return new CommandReceiver(arguments);
  }

  private static AlertReceiver webhook(Options options, String address) {
    URI uri =
        WebAddress.of(address)
            .orElseThrow(
                () ->
                    new UserException(
                        options.where() + ".webhook: expected an address with http or https"));
    return new WebhookReceiver(uri);
  }
}
