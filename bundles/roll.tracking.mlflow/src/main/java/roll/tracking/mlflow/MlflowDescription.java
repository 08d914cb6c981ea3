package roll.tracking.mlflow;

import java.util.Map;

/**
 * Experiment, name and tags of a run.
 *
 * @param name for display; not an identifier
 */
record MlflowDescription(String experiment, String name, Map<String, String> tags) {}
