package roll.tracking.mlflow;

import java.util.Map;

/**
 * How a run is shown.
 *
 * @param experiment that it is a part of
 * @param name for people; the run's identity is another
 */
record MlflowDescription(String experiment, String name, Map<String, String> tags) {}
