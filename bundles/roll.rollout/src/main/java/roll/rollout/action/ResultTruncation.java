package roll.rollout.action;

import roll.api.config.AgentConfig;

/** Truncates tool results, with a mark in place of the omitted part. */
final class ResultTruncation {
  private ResultTruncation() {}

  /** Returns {@code text}, truncated to the length of {@code config}. */
  static String of(AgentConfig config, String text) {
    int most = config.maxResultLength();
    if (text.length() <= most) {
      return text;
    }
    return switch (config.truncateSide()) {
      case LEFT -> head(text, most) + "...(truncated)";
      case RIGHT -> "(truncated)..." + tail(text, most);
      case MIDDLE -> head(text, most / 2) + "...(truncated)..." + tail(text, most / 2);
    };
  }

  private static String head(String text, int length) {
    boolean half = length > 0 && Character.isHighSurrogate(text.charAt(length - 1));
    return text.substring(0, half ? length - 1 : length);
  }

  private static String tail(String text, int length) {
    int start = text.length() - length;
    boolean half = length > 0 && Character.isLowSurrogate(text.charAt(start));
    return text.substring(half ? start + 1 : start);
  }
}
