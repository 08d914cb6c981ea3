/** Curves by step as pictures. */
@Export
@NullMarked
@Version("1.0.0")
package roll.chart;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
