/** Strategies: how a model is placed on devices, trained, scored and sampled. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.strategy;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
