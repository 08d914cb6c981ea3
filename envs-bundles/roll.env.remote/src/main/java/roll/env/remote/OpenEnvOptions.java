package roll.env.remote;

import java.util.List;
import roll.api.option.Option;
import roll.api.option.RawOptions;

/** What {@code openenv} may contain. */
final class OpenEnvOptions {
  /** The field of the action that the response becomes. */
  static final Option<String> ACTION =
      Option.text("action", "field that the response becomes; by default the only required one");

  /** Whether the agent writes the whole action. */
  static final Option<Boolean> ACTION_JSON =
      Option.flag("action_json", "whether the response is the action itself, in JSON")
          .withDefault(false);

  /** What else each action has. */
  static final Option<RawOptions> ACTION_FIELDS =
      Option.nested("action_fields", "other fields of every action, as they are");

  /** The field of the observation that is shown. */
  static final Option<String> OBSERVATION =
      Option.text("observation", "field that is shown; by default all, as JSON");

  /** The field with a picture. */
  static final Option<String> PICTURE =
      Option.text(
          "picture",
          "field with a PNG or JPEG file in Base64, or with rows of pixels of three numbers");

  /** The field with the actions that are valid. */
  static final Option<String> ACTIONS =
      Option.text("actions", "field that lists the actions which are valid");

  /** The fields that are metrics. */
  static final Option<List<String>> METRICS =
      Option.texts("metrics", "fields that become metrics: numbers, true and false")
          .withDefault(List.of());

  /** What the agent is told. */
  static final Option<String> INSTRUCTION =
      Option.text("instruction", "what the agent is told once, before the first observation")
          .withDefault("");

  /** All of them. */
  static final List<Option<?>> ALL =
      List.of(
          ACTION, ACTION_JSON, ACTION_FIELDS, OBSERVATION, PICTURE, ACTIONS, METRICS, INSTRUCTION);

  private OpenEnvOptions() {}
}
