package roll.testkit;

import java.util.List;

/** Responses of a language model that are not a valid action. */
final class MalformedTexts {
  /** Empty, unclosed, broken and very long texts. */
  static final List<String> ALL =
      List.of(
          "",
          " \n\t",
          "no action at all",
          "<answer></answer>",
          "<answer>",
          "</answer>Up<answer>",
          "<answer>no such action</answer>",
          "<answer>$1 \\ \\E [a-z]* (?<x></answer>",
          "<answer>\n</answer><answer>NaN</answer>",
          "\u0000\uD83E\uDDCA\uD800 \u202E",
          "<answer>\uD83E\uDDCA\uD800\u0000</answer>",
          "<|im_start|><|im_end|>",
          "{\"action\": null}",
          "-1",
          "99999999999999999999",
          "x".repeat(100_000),
          "<answer>".repeat(2_000),
          "<answer>" + " ".repeat(10_000) + "</answer>",
          "<answer>" + "a".repeat(1_000_000) + "</answer>");

  private MalformedTexts() {}
}
