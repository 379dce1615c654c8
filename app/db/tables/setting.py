"""Facts about the database itself, such as which catalog it holds."""

from __future__ import annotations

from sqlmodel import Field, SQLModel


class SettingRow(SQLModel, table=True):
    __tablename__ = "setting"

    name: str = Field(primary_key=True, max_length=64)
    value: str
