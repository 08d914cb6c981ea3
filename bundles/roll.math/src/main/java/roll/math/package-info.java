/** Computations shared by estimators and losses. */
@Export
@NullMarked
@Version("1.0.0")
package roll.math;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
