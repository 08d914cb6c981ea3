/** Runs: training, supervised fine-tuning, rollouts, plans. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.pipeline;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
