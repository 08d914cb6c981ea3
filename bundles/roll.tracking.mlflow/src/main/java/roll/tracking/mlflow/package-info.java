/** Tracker mlflow: metrics for a server of mlflow. */
@NullMarked
package roll.tracking.mlflow;

import org.jspecify.annotations.NullMarked;
