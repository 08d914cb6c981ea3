@NullMarked
package roll.tracking.mlflow;

import org.jspecify.annotations.NullMarked;
