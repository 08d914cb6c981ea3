/** Objectives of training on preferences: log-probs of answers in, loss and derivatives out. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.preference;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
