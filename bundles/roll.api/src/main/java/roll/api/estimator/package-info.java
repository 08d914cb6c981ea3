/** Advantage estimators: token rewards in, advantages and returns out. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.estimator;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
