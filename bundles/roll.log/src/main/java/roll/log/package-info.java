/** SLF4J for every bundle: bridged to the OSGi log, which is printed on stderr. */
@NullMarked
package roll.log;

import org.jspecify.annotations.NullMarked;
