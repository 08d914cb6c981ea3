# Runs first in every interpreter. Its value is the function that runs a program the way a notebook does: the value of a
# last line that is an expression is printed. What it needs it holds itself, so that a program cannot take it away.
def _prelude():
    import __main__, _thread, ast, builtins, os, sys
    import collections, functools, itertools, math, re, typing  # the usual ones, so that programs need not wait for them

    scope = __main__.__dict__
    power = builtins.pow
    bits = 1 << 25

    # Java's big numbers cannot be interrupted: those that take longer than a moment are refused before they begin.
    def bounded(base, exponent, modulus=None):
        if type(base) is int and type(exponent) is int:
            if modulus is None:
                if exponent > 0 and base.bit_length() > 1 and base.bit_length() * exponent > bits:
                    raise MemoryError('the power of two whole numbers is too large')
            elif type(modulus) is int and exponent.bit_length() * modulus.bit_length() ** 2 > 1 << 38:
                raise MemoryError('the power of two whole numbers is too large')
        return power(base, exponent) if modulus is None else power(base, exponent, modulus)

    def shifted(number, places):
        if type(number) is int and type(places) is int and number and places > bits:
            raise MemoryError('the shifted whole number is too large')
        return number << places

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
    forbid(os, *processes)
    forbid(_thread, 'start_new_thread', 'start_new', 'start_joinable_thread')

    builtins.pow = bounded
    builtins.__bounded_power__ = bounded
    builtins.__bounded_shift__ = shifted
    parse, compiled, execute, evaluate, show = ast.parse, compile, exec, eval, print
    fixed, expression, body = ast.fix_missing_locations, ast.Expression, ast.Expr

    def run(source):
        try:
            tree = fixed(Bounded().visit(parse(source, '<program>')))
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], body) else None
            execute(compiled(tree, '<program>', 'exec'), scope)
            if last is not None:
                value = evaluate(compiled(expression(last.value), '<program>', 'eval'), scope)
                if value is not None:
                    show(repr(value))
        finally:
            sys.stdout.flush()

    scope.pop('_prelude', None)
    return run


_prelude()
