/** Sweeps: a configuration run for every combination of some values. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.sweep;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
