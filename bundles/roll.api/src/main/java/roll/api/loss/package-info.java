/** Policy losses: log-probs and advantages in, value and gradients out. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.loss;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
