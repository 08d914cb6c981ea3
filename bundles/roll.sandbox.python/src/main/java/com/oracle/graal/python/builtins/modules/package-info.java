/** One class of GraalPy that is another here. */
@NullMarked
package com.oracle.graal.python.builtins.modules;

import org.jspecify.annotations.NullMarked;
