/** Curricula: which share of the training groups plays which environment, step by step. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.curriculum;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
