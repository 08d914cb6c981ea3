# Runs first in every interpreter. Its value is the function that runs a program the way a notebook does: the value of a
# last line that is an expression is printed. What it needs it holds itself, so that a program cannot take it away.
def _prelude():
    import __main__, _signal, _thread, ast, builtins, os, sys

    # those of GraalPy are the JVM's, and not in its module here; what imports it wants to find them
    for name in ('alarm', 'default_int_handler', 'getitimer', 'getsignal', 'raise_signal', 'set_wakeup_fd', 'setitimer',
                 'siginterrupt', 'signal', 'valid_signals'):
        def forbidden(*args, _what=name, **named):
            raise PermissionError(1, 'not permitted in the sandbox', _what)
        setattr(_signal, name, forbidden)
    import collections, functools, itertools, math, operator, re, typing  # the usual ones, so that programs need not wait

    scope = __main__.__dict__
    power = builtins.pow
    bits = 1 << 25

    # Java's big numbers cannot be interrupted: those that take longer than a moment are refused before they begin.
    def bounded(base, exponent, modulus=None):
        if type(base) is int and type(exponent) is int:
            if modulus is None:
                if exponent > 0 and base.bit_length() > 1 and base.bit_length() * exponent > bits:
                    raise MemoryError('the power of two integers is too large')
            elif type(modulus) is int and exponent.bit_length() * modulus.bit_length() ** 2 > 1 << 38:
                raise MemoryError('the power of two integers is too large')
        return power(base, exponent) if modulus is None else power(base, exponent, modulus)

    def shifted(number, places):
        if type(number) is int and type(places) is int and number and places > bits:
            raise MemoryError('the shifted integer is too large')
        return number << places

    # The time that a product of so many factors takes grows with its bits for each of them.
    def product(function, count):
        def refusing(*args):
            numbers = [a for a in args if type(a) is int and a > 0]
            if numbers and count(*numbers) ** 2 * max(numbers).bit_length() > 1 << 38:
                raise MemoryError('the product of so many integers is too large')
            return function(*args)
        return refusing

    math.factorial = product(math.factorial, lambda n: n)
    math.comb = product(math.comb, lambda n, k=0: max(0, min(k, n - k)))
    math.perm = product(math.perm, lambda n, k=None: n if k is None else k)

    # These two in Python, where a program can be stopped between two steps.
    def prod(iterable, /, *, start=1):
        for number in iterable:
            start = start * number
        return start

    def reduce(function, sequence, /, *initial):
        values = iter(sequence)
        if not initial:
            for first in values:
                initial = (first,)
                break
            else:
                raise TypeError('reduce() of empty iterable with no initial value')
        result, = initial
        for value in values:
            result = function(result, value)
        return result

    math.prod = prod
    functools.reduce = reduce

    # powers and shifts of numbers that are not both written out and small
    class Bounded(ast.NodeTransformer):
        def visit_BinOp(self, node):
            self.generic_visit(node)
            name = {ast.Pow: '__bounded_power__', ast.LShift: '__bounded_shift__'}.get(type(node.op))
            if name is None or small(node.left) and small(node.right):
                return node
            call = ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], [])
            return ast.copy_location(call, node)

        def visit_AugAssign(self, node):
            self.generic_visit(node)
            if isinstance(node.op, (ast.Pow, ast.LShift)) and isinstance(node.target, ast.Name):
                value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
                ast.copy_location(value, node)
                return ast.copy_location(ast.Assign([node.target], self.visit_BinOp(value)), node)
            return node

    def small(node):
        return isinstance(node, ast.Constant) and type(node.value) in (int, float) and abs(node.value) < 1000

    # what the host refuses anyway, as an error that Python programs know
    def forbid(module, *names):
        for name in names:
            if hasattr(module, name):
                def forbidden(*args, _what=name, **named):
                    raise PermissionError(1, 'not permitted in the sandbox', _what)
                setattr(module, name, forbidden)

    import posix
    processes = ('_exit', 'abort', 'execv', 'execve', 'fork', 'forkpty', 'kill', 'killpg', 'posix_spawn', 'system')
    forbid(posix, *processes)
    forbid(sys, 'set_int_max_str_digits')  # reading long numbers takes the square of their length
    forbid(os, *processes)
    forbid(_thread, 'start_new_thread', 'start_new', 'start_joinable_thread', 'interrupt_main')

    builtins.pow = bounded
    operator.pow = operator.__pow__ = operator.ipow = operator.__ipow__ = lambda base, exponent: bounded(base, exponent)
    operator.lshift = operator.__lshift__ = operator.ilshift = operator.__ilshift__ = shifted
    builtins.__bounded_power__ = bounded
    builtins.__bounded_shift__ = shifted
    parse, compiled, execute, evaluate, show = ast.parse, compile, exec, eval, print
    standard = {name: getattr(sys, name) for name in ('stdin', 'stdout', 'stderr')}
    printed, put = sys.stdout, setattr
    fixed, expression, body = ast.fix_missing_locations, ast.Expression, ast.Expr

    def run(source):
        for name, stream in standard.items():
            put(sys, name, stream)
        try:
            tree = fixed(Bounded().visit(parse(source, '<program>')))
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], body) else None
            execute(compiled(tree, '<program>', 'exec'), scope)
            if last is not None:
                value = evaluate(compiled(expression(last.value), '<program>', 'eval'), scope)
                if value is not None:
                    show(repr(value), file=printed)
        finally:
            if not printed.closed:
                printed.flush()

    scope.pop('_prelude', None)
    return run


_prelude()
