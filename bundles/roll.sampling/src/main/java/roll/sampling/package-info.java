/**
 * Sampling for strategies that generate: what may be asked, responses while they are written, and
 * the kernel that draws their tokens.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.sampling;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
