package roll.tracking.chart;

import java.util.regex.Pattern;

/** A coordinate system of the picture and the metrics that belong into it. */
enum Panel {
  /** Mean scores, in units of reward. */
  SCORE("Mean score", Pattern.compile("(?:val|rollout)/score/mean")),
  /** Share of episodes that reached their goal. */
  SUCCESS("Success rate", Pattern.compile("(?:val/)?env/.+/success"));

  private final String label;
  private final Pattern metrics;

  Panel(String label, Pattern metrics) {
    this.label = label;
    this.metrics = metrics;
  }

  /** Title of the vertical axis. */
  String label() {
    return label;
  }

  /** Whether metric {@code name} is drawn here. */
  boolean shows(String name) {
    return metrics.matcher(name).matches();
  }

  /** What the legend calls metric {@code name}. */
  String legend(String name) {
    boolean validation = name.startsWith("val/");
    String who = validation ? "validation" : "training";
    if (this == SCORE) {
      return who;
    }
    String tag = name.substring((validation ? "val/env/" : "env/").length());
    return who + ", " + tag.substring(0, tag.length() - "/success".length());
  }
}
