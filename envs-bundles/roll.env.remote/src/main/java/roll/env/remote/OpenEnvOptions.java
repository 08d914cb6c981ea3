package roll.env.remote;

import java.util.List;
import roll.api.option.Option;
import roll.api.option.RawOptions;

/** Options of environments of type {@code openenv}. */
final class OpenEnvOptions {
  /** Field of the action to set. */
  static final Option<String> ACTION =
      Option.text("action", "field that the response becomes; by default the only required one");

  /** Whether the response is the whole action. */
  static final Option<Boolean> ACTION_JSON =
      Option.flag("action_json", "whether the response is the action itself, in JSON")
          .withDefault(false);

  /** Option: constant fields of every action. */
  static final Option<RawOptions> ACTION_FIELDS =
      Option.nested("action_fields", "other fields of every action, as they are");

  /** Field of the observation to show. */
  static final Option<String> OBSERVATION =
      Option.text("observation", "field that is shown; by default all, as JSON");

  /** Option: answer field with a picture. */
  static final Option<String> PICTURE =
      Option.text(
          "picture",
          "field with a PNG or JPEG file in Base64, or with rows of pixels of three numbers");

  /** Option: answer field with the valid actions. */
  static final Option<String> ACTIONS =
      Option.text("actions", "field that lists the actions which are valid");

  /** Option: fields of answers that are metrics. */
  static final Option<List<String>> METRICS =
      Option.texts("metrics", "fields that become metrics: numbers, true and false")
          .withDefault(List.of());

  /** Option: instruction of the agent. */
  static final Option<String> INSTRUCTION =
      Option.text(
              "instruction", "instruction of the agent, shown once before the first observation")
          .withDefault("");

  /** All options of the open environment options. */
  static final List<Option<?>> ALL =
      List.of(
          ACTION, ACTION_JSON, ACTION_FIELDS, OBSERVATION, PICTURE, ACTIONS, METRICS, INSTRUCTION);

  private OpenEnvOptions() {}
}
